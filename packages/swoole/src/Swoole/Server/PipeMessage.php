<?php

declare(strict_types=1);

namespace Swoole\Server;

class PipeMessage
{
    public int $source_worker_id = 0;
    public float $dispatch_time = 0.0;
    public int $worker_id = 0;
    public mixed $data = null;
}
