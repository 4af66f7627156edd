<?php

/** @generate-class-entries */

namespace Sluice\Coroutine;

/**
 * A queue of items between coroutines, first in, first out. Each item is popped once. When a coroutine is cancelled while it waits in
 * pop(), no item is lost with it: the next one gets the item.
 *
 * @strict-properties
 * @not-serializable
 * @template T
 * @implements \IteratorAggregate<int, T>
 */
final class Channel implements \IteratorAggregate, \Countable
{
    /**
     * @param int $capacity how many items the channel holds before push() waits, 0 to 1,000,000; with 0 each push() waits for a
     *     pop()
     * @throws \ValueError when $capacity is out of range
     */
    public function __construct(int $capacity = 0) {}

    /**
     * Adds an item, and waits while the channel is full. When it throws, the item was not added; only a CancelledError may be thrown
     * although another coroutine has taken the item.
     *
     * @param T $item
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws ClosedException when the channel is closed, before or during the wait
     * @throws TimeoutException when the channel is full for $timeout
     * @throws CancelledError
     * @throws \Error when it has to wait outside of a coroutine
     */
    public function push(mixed $item, ?float $timeout = null): void {}

    /**
     * Takes the oldest item out of the channel, and waits while there is none.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @return T
     * @throws ClosedException when the channel is closed and empty
     * @throws TimeoutException when the channel is empty for $timeout
     * @throws CancelledError
     * @throws \Error when it has to wait outside of a coroutine
     */
    public function pop(?float $timeout = null): mixed {}

    /** Closes the channel: push() throws ClosedException at once, pop() when the last item is taken. A further call does nothing. */
    public function close(): void {}

    /** Whether close() was called; items may be left. */
    public function isClosed(): bool {}

    /** How many items are in the channel. */
    public function count(): int {}

    /**
     * For foreach, which pops items until the channel is closed and empty. Several coroutines may iterate; each item goes to one of
     * them.
     *
     * @return \Iterator<int, T>
     */
    public function getIterator(): \Iterator {}
}

/** A Channel is closed: nothing can be pushed to it, or nothing is left to pop. */
final class ClosedException extends \RuntimeException {}

/**
 * A lock that one coroutine at a time holds, also while it waits. The coroutine that has waited longest gets it next. For coroutines of
 * one worker; `Sluice\Shared\Lock` is for all processes.
 *
 * @strict-properties
 * @not-serializable
 */
final class Mutex
{
    /**
     * Locks the mutex, and waits while another coroutine holds it.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws TimeoutException when another coroutine holds the mutex for $timeout
     * @throws CancelledError
     * @throws \LogicException when this coroutine holds the mutex already
     * @throws \Error when it has to wait outside of a coroutine
     */
    public function lock(?float $timeout = null): void {}

    /** Locks the mutex if no coroutine holds it, and returns whether it did. Never waits. */
    public function tryLock(): bool {}

    /**
     * Unlocks the mutex.
     *
     * @throws \LogicException when this coroutine does not hold it
     */
    public function unlock(): void {}

    /** Whether a coroutine holds the mutex. */
    public function isLocked(): bool {}

    /**
     * Locks the mutex, calls `$function`, and unlocks the mutex again, also after an exception.
     *
     * @template T
     * @param callable(): T $function
     * @param float|null $timeout seconds to wait for the lock, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException when another coroutine holds the mutex for $timeout
     * @throws CancelledError
     * @throws \LogicException when this coroutine holds the mutex already
     * @throws \Throwable what `$function` throws
     */
    public function use(callable $function, ?float $timeout = null): mixed {}
}

/**
 * A number of permits, for a bound on how many coroutines do something at a time. The coroutine that has waited longest gets the next
 * free permit.
 *
 * @strict-properties
 * @not-serializable
 */
final class Semaphore
{
    /**
     * @param int $permits 1 to 1,000,000; all are free at first
     * @throws \ValueError when $permits is out of range
     */
    public function __construct(int $permits) {}

    /**
     * Takes a permit, and waits while none is free.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws TimeoutException when no permit becomes free for $timeout
     * @throws CancelledError
     * @throws \Error when it has to wait outside of a coroutine
     */
    public function acquire(?float $timeout = null): void {}

    /** Takes a permit if one is free, and returns whether it did. Never waits. */
    public function tryAcquire(): bool {}

    /**
     * Gives a permit back. Any coroutine may do so, not only the one that took it.
     *
     * @throws \LogicException when all permits are free
     */
    public function release(): void {}

    /** How many permits are free. */
    public function free(): int {}

    /**
     * Takes a permit, calls `$function`, and gives the permit back, also after an exception.
     *
     * @template T
     * @param callable(): T $function
     * @param float|null $timeout seconds to wait for the permit, 0 to 1e9; null: for ever
     * @return T what `$function` returns
     * @throws TimeoutException when no permit becomes free for $timeout
     * @throws CancelledError
     * @throws \Throwable what `$function` throws
     */
    public function use(callable $function, ?float $timeout = null): mixed {}
}

/**
 * A count of work that is still to be done. Coroutines can wait until it is 0.
 *
 * @strict-properties
 * @not-serializable
 */
final class WaitGroup implements \Countable
{
    /**
     * Adds to the count.
     *
     * @param int $count at least 1
     * @throws \ValueError for another number, and when the count would be out of range
     */
    public function add(int $count = 1): void {}

    /**
     * Takes 1 off the count.
     *
     * @throws \LogicException when the count is 0
     */
    public function done(): void {}

    /**
     * Waits until the count is 0.
     *
     * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
     * @throws TimeoutException when the count is not 0 for $timeout
     * @throws CancelledError
     * @throws \Error when it has to wait outside of a coroutine
     */
    public function wait(?float $timeout = null): void {}

    /** The count of work that is still to be done. */
    public function count(): int {}
}

/**
 * A value that belongs to the running coroutine, such as the current user or a trace id. The coroutines that it spawns have the value
 * too. Make one ContextValue for each kind of value, and keep it where the code that uses it finds it, such as a static property.
 *
 * A spawned coroutine begins with the value that its parent had when it was spawned; what either of them sets later is its own. A
 * handler begins with the value set outside of all coroutines, before run(). A timer has the value of the code that started it.
 *
 * @strict-properties
 * @not-serializable
 * @template T
 */
final class ContextValue
{
    /** @param T $default what get() returns where no value was set */
    public function __construct(mixed $default = null) {}

    /**
     * The value of the running coroutine.
     *
     * @return T
     */
    public function get(): mixed {}

    /**
     * Sets the value for this coroutine until it ends, and for the coroutines that it spawns from now on.
     *
     * @param T $value
     */
    public function set(mixed $value): void {}

    /**
     * Sets the value while `$function` runs, and for the coroutines that `$function` spawns.
     *
     * @template R
     * @param T $value
     * @param callable(): R $function
     * @return R what `$function` returns
     */
    public function with(mixed $value, callable $function): mixed {}
}

/**
 * Tasks that do not outlive the call of TaskGroup::run() in which they were spawned (structured concurrency).
 *
 * @strict-properties
 * @not-serializable
 */
final class TaskGroup
{
    private function __construct() {}

    /**
     * Calls `$body` with a new group, in a coroutine of its own, and returns when `$body` and every task of the group has ended. When
     * `$body` or a task throws, all others are cancelled, and run() throws the exception once they have ended. When the caller of
     * run() is cancelled, `$body` and all tasks are.
     *
     * @template R
     * @param callable(TaskGroup): R $body
     * @return R what `$body` returns
     * @throws \Throwable what `$body` or a task throws, the first one
     * @throws \Error outside of a coroutine
     */
    public static function run(callable $body): mixed {}

    /**
     * Calls `$function` in a new coroutine of the group. Any coroutine may do so while the group has not ended. A task that was
     * cancelled by Task::cancel() does not cancel the others.
     *
     * @template R
     * @template A = mixed
     * @template B = mixed
     * @template C = mixed
     * @param (callable(): R)|(callable(A): R)|(callable(A, B): R)|(callable(A, B, C): R) $function
     * @param mixed ...$arguments for `$function`, also by name
     * @return Task<R>
     * @throws LimitException when as many coroutines live as are allowed: `\Sluice\Limits::$coroutines`, or `$coroutines` of run()
     * @throws \Error when the group has ended
     */
    public function spawn(callable $function, mixed ...$arguments): Task {}

    /** Cancels the tasks that were spawned in the group; the `$body` of run() goes on. */
    public function cancel(): void {}
}
