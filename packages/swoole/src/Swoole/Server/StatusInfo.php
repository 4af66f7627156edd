<?php

declare(strict_types=1);

namespace Swoole\Server;

class StatusInfo
{
    public int $worker_id = 0;
    public int $worker_pid = 0;
    public int $status = 0;
    public int $exit_code = 0;
    public int $signal = 0;
}
