<?php

declare(strict_types=1);

namespace Swoole\Server;

class Task
{
    public mixed $data = null;
    public float $dispatch_time = 0.0;
    public int $id = -1;
    public int $worker_id = -1;
    public int $flags = 0;
    /** @var (\Closure(mixed): bool)|null */
    private ?\Closure $finish = null;

    public function finish(mixed $data): bool
    {
        return $this->finish !== null && ($this->finish)($data);
    }

    public static function pack(mixed $data): string|false
    {
        return \serialize($data);
    }

    public static function unpack(string $data): mixed
    {
        return \unserialize($data);
    }

    /**
     * @internal
     * @param \Closure(mixed): bool $finish
     */
    public function onFinish(\Closure $finish): void
    {
        $this->finish = $finish;
    }
}
