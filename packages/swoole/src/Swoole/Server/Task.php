<?php

declare(strict_types=1);

namespace Swoole\Server;

use Sluice\Swoole\Running;

class Task
{
    public mixed $data = null;
    public float $dispatch_time = 0.0;
    public int $id = -1;
    public int $worker_id = -1;
    public int $flags = 0;

    public function finish(mixed $data): bool
    {
        return Running::current()?->tasks?->finish($data) ?? false;
    }

    public static function pack(mixed $data): string|false
    {
        return \serialize($data);
    }

    public static function unpack(string $data): mixed
    {
        return \unserialize($data);
    }
}
