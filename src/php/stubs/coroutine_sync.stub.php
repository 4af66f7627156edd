<?php

/** @generate-class-entries */

namespace Sluice\Coroutine;

/**
 * Hands items from coroutine to coroutine, in order. What is pushed is popped once; an item is never lost with a
 * coroutine that is cancelled while it waits in pop(): the next one gets it.
 *
 * @strict-properties
 * @not-serializable
 * @template T
 * @implements \IteratorAggregate<int, T>
 */
final class Channel implements \IteratorAggregate, \Countable
{
    /**
     * @param int $capacity how many items may wait in it before push() waits, 0 to 1,000,000; with 0 each push() waits for
     *     its pop()
     */
    public function __construct(int $capacity = 0) {}

    /**
     * Hands an item on, and waits while the channel is full. When it throws, nobody has got the item - but for
     * CancelledError in the very moment in which it was taken.
     *
     * @param T $item
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws ClosedException when the channel is closed, or is while this waits
     * @throws TimeoutException
     * @throws CancelledError
     */
    public function push(mixed $item, ?float $timeout = null): void {}

    /**
     * Takes the oldest item, and waits while there is none.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @return T
     * @throws ClosedException when the channel is closed, and nothing is left in it
     * @throws TimeoutException
     * @throws CancelledError
     */
    public function pop(?float $timeout = null): mixed {}

    /** Ends push() at once, and pop() when the last item is taken; again: does nothing. */
    public function close(): void {}

    public function isClosed(): bool {}

    /** Items that wait in it. */
    public function count(): int {}

    /**
     * foreach pops until the channel is closed and empty. Several coroutines may do so; each item goes to one.
     *
     * @return \Iterator<int, T>
     */
    public function getIterator(): \Iterator {}
}

/** The channel is closed. */
final class ClosedException extends \RuntimeException {}

/**
 * Lets one coroutine at a time do something that others must not do meanwhile, though it waits within. Who has waited
 * longest is next.
 *
 * @strict-properties
 * @not-serializable
 */
final class Mutex
{
    /**
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws TimeoutException
     * @throws CancelledError
     * @throws \LogicException when this coroutine has locked it already
     */
    public function lock(?float $timeout = null): void {}

    /** Locks it if nobody has; never waits. */
    public function tryLock(): bool {}

    /** @throws \LogicException when this coroutine has not locked it */
    public function unlock(): void {}

    public function isLocked(): bool {}

    /**
     * Calls `$function` with the mutex locked, and unlocks it whatever happens.
     *
     * @template T
     * @param callable(): T $function
     * @param float|null $timeout seconds to wait for the lock, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException
     * @throws \Throwable what `$function` throws
     */
    public function use(callable $function, ?float $timeout = null): mixed {}
}

/**
 * Lets so many coroutines at a time do something. Who has waited longest is next.
 *
 * @strict-properties
 * @not-serializable
 */
final class Semaphore
{
    /** @param int $permits 1 to 1,000,000 */
    public function __construct(int $permits) {}

    /**
     * Takes a permit, and waits while none is free.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws TimeoutException
     * @throws CancelledError
     */
    public function acquire(?float $timeout = null): void {}

    /** Takes a permit if one is free; never waits. */
    public function tryAcquire(): bool {}

    /**
     * Gives a permit back; another coroutine than that which took it may do so.
     *
     * @throws \LogicException when all are free
     */
    public function release(): void {}

    /** Permits that are free. */
    public function free(): int {}

    /**
     * Calls `$function` with a permit, and gives it back whatever happens.
     *
     * @template T
     * @param callable(): T $function
     * @param float|null $timeout seconds to wait for the permit, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException
     * @throws \Throwable what `$function` throws
     */
    public function use(callable $function, ?float $timeout = null): mixed {}
}

/**
 * Counts what is still to be done, and lets coroutines wait until nothing is.
 *
 * @strict-properties
 * @not-serializable
 */
final class WaitGroup implements \Countable
{
    /** @param int $count at least 1 */
    public function add(int $count = 1): void {}

    /** @throws \LogicException when it is called more often than add() has counted */
    public function done(): void {}

    /**
     * Returns when as much is done as was added; at once when nothing is to be done.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws TimeoutException
     * @throws CancelledError
     */
    public function wait(?float $timeout = null): void {}

    /** What is still to be done. */
    public function count(): int {}
}

/**
 * A value that belongs to the running coroutine - the current user, a trace id - and that those which it spawns have,
 * too. Make one object for each value, and keep it where all that use it find it: a static property, for example.
 *
 * A coroutine sees what its parent saw when it was spawned; what either of them sets later is its own. Every handler
 * begins with what was set outside of all coroutines, before run(); a timer with what was seen where it was started.
 *
 * @strict-properties
 * @not-serializable
 * @template T
 */
final class ContextValue
{
    /** @param T $default what get() gives where nothing was set */
    public function __construct(mixed $default = null) {}

    /** @return T */
    public function get(): mixed {}

    /**
     * For this coroutine, until it ends, and for what it spawns from now on.
     *
     * @param T $value
     */
    public function set(mixed $value): void {}

    /**
     * Sets it for as long as `$function` runs, and for what that spawns.
     *
     * @template R
     * @param T $value
     * @param callable(): R $function
     * @return R what `$function` returns
     */
    public function with(mixed $value, callable $function): mixed {}
}

/**
 * Tasks that do not outlive the call in which they were begun.
 *
 * @strict-properties
 * @not-serializable
 */
final class TaskGroup
{
    private function __construct() {}

    /**
     * Calls `$body` with a new group, in a coroutine of its own, and returns when that and every task of the group has
     * ended. The first that throws cancels all others, `$body` included, and its exception comes out of here when
     * they have ended. When the caller of this is cancelled, all of them are.
     *
     * @template R
     * @param callable(TaskGroup): R $body
     * @return R what `$body` returns
     */
    public static function run(callable $body): mixed {}

    /**
     * Calls `$function` in a coroutine of its own. Any coroutine may do so while the group has not ended. A task that
     * was cancelled by Task::cancel() has not failed.
     *
     * @template R
     * @template A = mixed
     * @template B = mixed
     * @template C = mixed
     * @param (callable(): R)|(callable(A): R)|(callable(A, B): R)|(callable(A, B, C): R) $function
     * @param mixed ...$arguments for `$function`, also by name
     * @return Task<R>
     */
    public function spawn(callable $function, mixed ...$arguments): Task {}

    /** Cancels the tasks that were spawned in it; `$body` goes on. */
    public function cancel(): void {}
}
