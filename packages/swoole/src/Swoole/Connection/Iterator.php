<?php

declare(strict_types=1);

namespace Swoole\Connection;

use Sluice\Swoole\Connections;

/**
 * The connections of all workers.
 *
 * @implements \Iterator<int, int|null>
 * @implements \ArrayAccess<int, int>
 */
class Iterator implements \Iterator, \ArrayAccess, \Countable
{
    /** @var list<int> */
    private array $ids = [];
    private int $at = 0;

    /**
     * @internal
     * @param int $port only of this listener; 0: of all
     */
    public function __construct(private readonly int $port = 0) {}

    public function rewind(): void
    {
        $this->ids = Connections::current()?->all($this->port) ?? [];
        $this->at = 0;
    }

    public function valid(): bool
    {
        return isset($this->ids[$this->at]);
    }

    public function next(): void
    {
        ++$this->at;
    }

    public function key(): mixed
    {
        return $this->at;
    }

    public function current(): mixed
    {
        return $this->ids[$this->at] ?? null;
    }

    public function count(): int
    {
        return $this->port === 0 ? \max(0, Connections::current()?->count() ?? 0) : \count(Connections::current()?->all($this->port) ?? []);
    }

    public function offsetExists(mixed $fd): bool
    {
        return Connections::current()?->exists($fd) ?? false;
    }

    public function offsetGet(mixed $fd): mixed
    {
        return $fd;
    }

    public function offsetSet(mixed $fd, mixed $value): void {}

    public function offsetUnset(mixed $fd): void {}
}
