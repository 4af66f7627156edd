<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Internal\Waiter;

/**
 * A place in a Pool, with or without an item.
 *
 * @internal
 * @template T
 */
final class PoolEntry
{
    /** @var null|T */
    public mixed $item = null;
    public bool $isFilled = false;
    public float $createdAt = 0.0;
    public float $checkedAt = 0.0;
    public float $idleSince = 0.0;

    public function __construct(public readonly int $process) {}
}

/**
 * A coroutine that waits for a place in a Pool.
 *
 * @internal
 * @template T
 */
final class PoolTicket
{
    public readonly Waiter $waiter;
    /** @var null|PoolEntry<T> */
    public ?PoolEntry $entry = null;
    public bool $waits = true;

    public function __construct()
    {
        $this->waiter = new Waiter();
    }
}

/**
 * The coroutines that wait for a place in a Pool, in the order of their turns.
 *
 * @internal
 * @template T
 */
final class PoolQueue
{
    /** @var array<int, \SplQueue<PoolTicket<T>>> by client, the longest waiting first; some have stopped waiting, but no line is empty */
    private array $lines = [];
    /** @var \SplQueue<int> the clients that have a line, the one whose turn is next first */
    private \SplQueue $turns;
    private int $count = 0;

    public function __construct()
    {
        $this->turns = new \SplQueue();
    }

    /** @param PoolTicket<T> $ticket of the running coroutine */
    public function add(PoolTicket $ticket): void
    {
        $client = Waiter::client();
        if (!isset($this->lines[$client])) {
            $this->lines[$client] = new \SplQueue();
            $this->turns->enqueue($client);
        }
        $this->lines[$client]->enqueue($ticket);
        ++$this->count;
    }

    /** @return null|PoolTicket<T> the next one that waits, which is taken out */
    public function next(): ?PoolTicket
    {
        while (!$this->turns->isEmpty()) {
            $client = $this->turns->dequeue();
            $ticket = $this->takeFrom($this->lines[$client]);
            if ($this->lines[$client]->isEmpty()) {
                unset($this->lines[$client]);
            } else {
                $this->turns->enqueue($client);
            }
            if ($ticket !== null) {
                $ticket->waits = false;
                return $ticket;
            }
        }
        return null;
    }

    /** Drops those that have stopped waiting, once they are many beside those that wait. */
    public function forgetOld(int $waiting): void
    {
        if ($this->count <= 2 * $waiting + 64) {
            return;
        }
        $lines = $this->lines;
        $turns = $this->turns;
        $this->lines = [];
        $this->turns = new \SplQueue();
        $this->count = 0;
        foreach ($turns as $client) {
            $line = new \SplQueue();
            foreach ($lines[$client] as $ticket) {
                if ($ticket->waits) {
                    $line->enqueue($ticket);
                }
            }
            if (!$line->isEmpty()) {
                $this->lines[$client] = $line;
                $this->turns->enqueue($client);
                $this->count += \count($line);
            }
        }
    }

    /**
     * @param \SplQueue<PoolTicket<T>> $line
     * @return null|PoolTicket<T>
     */
    private function takeFrom(\SplQueue $line): ?PoolTicket
    {
        while (!$line->isEmpty()) {
            $ticket = $line->dequeue();
            --$this->count;
            if ($ticket->waits) {
                return $ticket;
            }
        }
        return null;
    }
}
