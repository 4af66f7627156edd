<?php

declare(strict_types=1);

namespace Swoole\Server;

class Packet
{
    public int $server_socket = 0;
    public int $server_port = 0;
    public float $dispatch_time = 0.0;
    public string $address = '';
    public int $port = 0;
    public string $data = '';
}
