<?php

/** @generate-class-entries */

namespace Sluice\Coroutine;

/**
 * Runs `$main` and everything that it spawns in coroutines, until all of them have ended. For scripts outside of a server: in a
 * worker each handler, timer and onWorkerStart() callback is a coroutine already.
 *
 * A coroutine that waits, by sleep(), a read from a socket or a query of a database driver, lets the other coroutines run. When
 * `$main` throws, what it has spawned is cancelled, and run() throws the exception once all have ended.
 *
 * @template T
 * @param callable(): T $main
 * @param int $coroutines how many coroutines may live at a time, 1 to 1,000,000. Each takes a stack, and a stack takes two of the
 *     mappings that the kernel's `vm.max_map_count` allows
 * @param int $pooledStacks how many stacks are kept for the next coroutines, 0 to 1,000,000
 * @param float $stallSeconds how long one call may hold up all coroutines before the log says where it stands, 0 to 1e9 seconds;
 *     0: calls are not watched
 * @return T what `$main` returns
 * @throws \ValueError for an argument that is out of range
 * @throws \Error inside of another run(), and in a worker
 * @throws DeadlockException when all coroutines wait for one another
 * @throws \Throwable what `$main` throws
 */
function run(callable $main, int $coroutines = 100000, int $pooledStacks = 256, float $stallSeconds = 1.0): mixed {}

/** Figures of the coroutines of this worker, or of this run(). All are 0 outside of both. */
function stats(): Stats {}

/**
 * Calls `$function` in a new coroutine, which begins when the running one waits. An exception that it throws comes out of
 * `Task::await()`; when nobody holds the Task, it is logged.
 *
 * @template T
 * @template A = mixed
 * @template B = mixed
 * @template C = mixed
 * @param (callable(): T)|(callable(A): T)|(callable(A, B): T)|(callable(A, B, C): T) $function
 * @param mixed ...$arguments for `$function`, also by name
 * @return Task<T>
 * @throws LimitException when as many coroutines live as are allowed: `\Sluice\Limits::$coroutines`, or `$coroutines` of run()
 * @throws \Error outside of run() and of a worker
 */
function spawn(callable $function, mixed ...$arguments): Task {}

/**
 * Calls `$function` in a new coroutine, which begins at once: start() returns when it waits for the first time, or has ended. Everything
 * else is as with spawn().
 *
 * Outside of run() and of a worker it begins a loop for the script. What the coroutines wait for goes on in wait(), which is called by
 * itself at the script's end.
 *
 * @template T
 * @template A = mixed
 * @template B = mixed
 * @template C = mixed
 * @param (callable(): T)|(callable(A): T)|(callable(A, B): T)|(callable(A, B, C): T) $function
 * @param mixed ...$arguments for `$function`, also by name
 * @return Task<T>
 * @throws LimitException when as many coroutines live as are allowed: `\Sluice\Limits::$coroutines`, or `$coroutines` of run()
 */
function start(callable $function, mixed ...$arguments): Task {}

/**
 * Runs the coroutines that start() has begun outside of run() until all have ended. In a worker it does nothing: its loop goes on anyway.
 *
 * @throws \Error in a coroutine
 * @throws DeadlockException when all coroutines wait for one another
 */
function wait(): void {}

/** The number of the running coroutine, which no other coroutine of this loop has or will have; 0 outside of coroutines. */
function id(): int {}

/**
 * The number of the coroutine that has spawned this one; 0 when none has.
 *
 * @param int|null $id of a coroutine; null: the running one
 * @return int|null null: there is no such coroutine, or it has ended
 */
function parentId(?int $id = null): ?int {}

/**
 * The numbers of all coroutines that have begun and not ended, the lowest first.
 *
 * @return list<int>
 */
function ids(): array {}

/**
 * Suspends the running coroutine until resume() is called with its number. For primitives that other code builds: a Channel, Mutex or
 * Task says what it waits for.
 *
 * @param float|null $timeout seconds, 0 to 1e9; null: waits for ever
 * @return bool false: the time was over first
 * @throws \ValueError when $timeout is out of range
 * @throws CancelledError
 * @throws \Error outside of a coroutine
 */
function suspend(?float $timeout = null): bool {}

/**
 * Resumes the coroutine with this number, which waits in suspend(), at once: resume() returns when it waits again, or has ended.
 *
 * @return bool false: there is no such coroutine, or it does not wait in suspend()
 */
function resume(int $id): bool {}

/** The Fiber of a coroutine, for `\ReflectionFiber`; null: there is no such coroutine, or it has ended. Only suspend() and resume() may switch it. */
function fiber(int $id): ?\Fiber {}

/**
 * Suspends the running coroutine for this time; other coroutines run meanwhile. When it is cancelled, sleep() throws CancelledError.
 * Outside of a coroutine it blocks, as usleep() does.
 *
 * @param float $seconds 0 to 1e9, with a resolution of 1 ms. With 0, each other coroutine that can go on does so once
 */
function sleep(float $seconds): void {}

/**
 * Has coroutines that compute for long give the others a turn, in this process and from here on. A coroutine that has computed for this
 * time is suspended where it stands, between two of PHP's instructions, as by `sleep(0)`. So code that counts on running alone until it
 * waits needs a Mutex, or shield(): what shield() calls is not interrupted. Neither are calls of C, such as a long `sort()`, and places
 * where PHP switches no Fiber.
 *
 * A cancelled coroutine gets its CancelledError there, too: timeout() ends a function that computes. In a server, call it in an
 * onWorkerStart() callback: it is no setting that forks of the process take over.
 *
 * @param float|null $seconds 0.002 to 60, of the processor's time, about; null: coroutines are suspended only where they wait, as at first
 * @param string ...$whole code of files whose paths begin with one of these is not interrupted
 * @throws \ValueError when $seconds is out of range
 * @throws \Error when the system gives this process no thread for it
 */
function preempt(?float $seconds, string ...$whole): void {}

/**
 * Calls all functions at once, each in a coroutine, and waits for all of them. When one throws, the others are cancelled, and all()
 * throws its exception once they have ended.
 *
 * @template T = mixed
 * @param callable(): T ...$functions
 * @return array<T> what the functions return, by the names or positions of the arguments and in their order
 * @throws \Throwable what the first function that throws has thrown
 * @throws \Error outside of a coroutine
 */
function all(callable ...$functions): array {}

/**
 * Calls all functions at once, each in a coroutine, and waits for all of them. One that throws cancels no other. For pages that show
 * what has arrived, and leave out what has failed.
 *
 * @template T = mixed
 * @param callable(): T ...$functions
 * @return array<Outcome<T>> the outcome of each function, by the names or positions of the arguments and in their order
 * @throws LimitException when as many coroutines live as are allowed: `\Sluice\Limits::$coroutines`, or `$coroutines` of run()
 * @throws CancelledError when the caller is cancelled
 * @throws \Error outside of a coroutine
 */
function settle(callable ...$functions): array {}

/**
 * Calls all functions at once, each in a coroutine, and returns the result of the first one that returns. The others are then
 * cancelled. When all of them throw, any() throws the exception of the last one.
 *
 * @template T = mixed
 * @param callable(): T ...$functions at least one
 * @return T
 * @throws \Throwable when all functions throw: what the last one has thrown
 * @throws \ValueError without functions
 * @throws \Error outside of a coroutine
 */
function any(callable ...$functions): mixed {}

/**
 * Calls all functions at once, each in a coroutine, and returns or throws what the first one to end returns or throws. The others are
 * then cancelled.
 *
 * @template T = mixed
 * @param callable(): T ...$functions at least one
 * @return T
 * @throws \Throwable when the first function to end throws: what it has thrown
 * @throws \ValueError without functions
 * @throws \Error outside of a coroutine
 */
function race(callable ...$functions): mixed {}

/**
 * Calls `$function` with each item, in at most `$limit` coroutines at a time. When one call throws, the others are cancelled, and
 * map() throws its exception once they have ended.
 *
 * @template K of array-key
 * @template V
 * @template R
 * @param array<K, V> $items
 * @param callable(V): R $function
 * @param int $limit 1 to 10,000
 * @return array<K, R> what the calls return, by the keys of the items and in their order
 * @throws \Throwable what the first call that throws has thrown
 * @throws \ValueError when $limit is out of range
 * @throws \Error outside of a coroutine
 */
function map(array $items, callable $function, int $limit = 64): array {}

/**
 * Calls `$function` in a coroutine, and waits for it for this time. After that it cancels `$function` and, once that has ended, throws
 * TimeoutException.
 *
 * @template T
 * @param float $seconds 0.001 to 1e9
 * @param callable(): T $function
 * @return T what `$function` returns
 * @throws TimeoutException when `$function` has not ended in time
 * @throws \Throwable what `$function` throws
 * @throws \ValueError when $seconds is out of range
 * @throws \Error outside of a coroutine
 */
function timeout(float $seconds, callable $function): mixed {}

/**
 * Calls `$function` when the running coroutine ends, in a worker when the handler ends: also after an exception or a cancellation.
 * What was deferred last is called first. An exception of `$function` comes out of the coroutine, with an earlier exception as its
 * previous one. `$function` is not called after a fatal error, or when this coroutine calls exit().
 *
 * @param callable(): mixed $function
 * @throws \Error outside of a coroutine
 */
function defer(callable $function): void {}

/**
 * Calls `$function` in the running coroutine, and defers cancellation meanwhile: for work that must not stop half-way. A cancelled
 * coroutine gets its CancelledError where it next waits after shield(). Coroutines that `$function` waits for are not cancelled by
 * it either.
 *
 * @template T
 * @param callable(): T $function
 * @return T what `$function` returns
 */
function shield(callable $function): mixed {}

/**
 * Gives each request its own values of static properties, for code that keeps state in them and is to serve several requests at a
 * time. Each handler begins with the values from outside of all handlers. What it sets is seen by itself and by the coroutines and
 * timers that it starts, until the last of these has ended. A property that subclasses inherit is one property, as always in PHP.
 *
 * Call it before `Server::run()`, or in an onWorkerStart() callback. It loads the class. A further call for a property does nothing.
 *
 * @param class-string $class
 * @param string ...$properties names without `$`, of private properties too; without names: all static properties of the class
 * @throws \ValueError when there is no such class or property, the property is not static, or the class is a trait, an interface, an
 *     enum or a class of an extension
 * @throws \Error once a worker serves, or while something runs in asRequest()
 */
function isolate(string $class, string ...$properties): void {}

/**
 * Calls `$function` in the running coroutine as if it were a handler: properties given to isolate() begin with their values from
 * outside of all handlers, and afterwards have their values from before the call. For jobs of a queue, commands and tests.
 *
 * @template T
 * @param callable(): T $function
 * @return T what `$function` returns
 */
function asRequest(callable $function): mixed {}

/**
 * A function that runs in a coroutine of its own, as spawn() starts it.
 *
 * @template-covariant T
 * @strict-properties
 * @not-serializable
 */
final class Task
{
    private function __construct() {}

    /**
     * Waits until the task has ended. Any number of coroutines may wait for one task.
     *
     * @return T what its function returned
     * @throws \Throwable what its function threw
     * @throws CancelledError when the task, or the waiting coroutine, was cancelled
     * @throws \Error outside of a coroutine, and in the task itself
     */
    public function await(): mixed {}

    /**
     * Cancels the task: CancelledError is thrown where it waits, or will wait next. A task that has not begun does not begin. A task
     * may catch the error to clean up, and should then end.
     *
     * @return bool false: the task had ended already
     */
    public function cancel(): bool {}

    /** Whether the task has ended. */
    public function isDone(): bool {}

    /** The function with which the engine starts every coroutine. Not to be called. */
    private static function work(): void {}
}

/**
 * The outcome of one function of settle(): a value or an error.
 *
 * @template-covariant T
 * @strict-properties
 * @not-serializable
 */
final class Outcome
{
    /** @var T|null what the function returned; null when it threw */
    public readonly mixed $value;
    /** What the function threw; null when it returned. */
    public readonly ?\Throwable $error;

    private function __construct() {}

    /** Whether the function returned. */
    public function succeeded(): bool {}

    /**
     * Returns what the function returned, or throws what it threw.
     *
     * @return T
     * @throws \Throwable what the function threw
     */
    public function get(): mixed {}
}

/**
 * Thrown where a cancelled coroutine waits. It is thrown once: waits to clean up are not interrupted for three seconds. A coroutine
 * that waits after that, outside of `shield()`, is ended where it waits: `finally` blocks run, no `catch` does. Let it through, or end
 * soon. When a C function was waiting, it first returns an error of its own; if its driver makes an exception of that, this one is
 * its previous exception.
 *
 * It is an \Error, so that `catch (\Exception)`, with which frameworks log a failure and answer 500, lets it through. Code that
 * catches \Throwable should throw it again.
 *
 * Cancelled are: tasks, by `Task::cancel()`; the functions of `all()`, `settle()`, `any()`, `race()`, `map()` and `timeout()`, when the
 * outcome stands or the caller is cancelled; an HTTP handler, when its client closes the connection or it takes longer than
 * `\Sluice\Http\Limits::$requestSeconds`. What a handler has started by `spawn()` goes on.
 */
final class CancelledError extends \Error {}

/**
 * Figures of the coroutines of a worker, or of a run(), at the moment of stats().
 *
 * @strict-properties
 * @not-serializable
 */
final class Stats
{
    /** Coroutines that have not ended, begun or about to begin. */
    public readonly int $live;
    /** The most coroutines that have lived at a time. */
    public readonly int $peak;
    /** Fibers with stacks that are kept for the next coroutines. */
    public readonly int $pooled;
    /** How many coroutines may live at a time: the limit that was set, or what the kernel's `vm.max_map_count` allows if that is less. */
    public readonly int $limit;

    private function __construct() {}
}

/** As many coroutines live as are allowed; the message names the limit. */
final class LimitException extends \RuntimeException {}

/** The time given to timeout(), or to another call that waits, such as `Channel::pop()`, is over. */
final class TimeoutException extends \RuntimeException {}

/**
 * A coroutine was to use a connection or a stream while another one waits in a call that uses it. The message names both places. The
 * second call was not made, and the first one goes on. Give each coroutine a connection of its own, as `Sluice\Pool` does. One
 * coroutine may read a stream or a socket while another one writes to it.
 *
 * It is also thrown for a connection on which another coroutine has a transaction open. Coroutines that were spawned by the one with the
 * transaction may use the connection. A transaction that is still open when the last of them has ended is rolled back, and the log says where
 * it began; when its driver cannot do that, further calls on the connection throw this exception.
 */
final class ConcurrentUseException extends \LogicException {}

/**
 * All coroutines wait for one another, so that none would ever go on. The message says where each one waits, and for what.
 *
 * In a worker it is thrown by Fiber::suspend() in a coroutine whose Fiber nobody holds, for nobody could resume it.
 */
final class DeadlockException extends \LogicException {}
