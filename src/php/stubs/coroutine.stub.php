<?php

/** @generate-class-entries */

namespace Sluice\Coroutine;

/**
 * Runs `$main` and everything that it spawns in coroutines, until all of them have ended. For scripts outside a
 * server: in a worker every handler, timer and onWorkerStart() is a coroutine already.
 *
 * Inside, calls that wait - sleep(), reading a socket, a database driver's query - let the other coroutines run
 * meanwhile. When `$main` throws, what it has spawned is cancelled, and the exception comes out of here.
 *
 * @template T
 * @param callable(): T $main
 * @param int $coroutines the most that may live at a time, 1 to 1,000,000; each takes a stack, and so two of the mappings
 *     that the kernel's `vm.max_map_count` allows
 * @param int $pooledStacks how many stacks are kept for the next coroutines, 0 to 1,000,000
 * @param float $stallSeconds how long one call may hold all coroutines up before the log says where it stands, 0 to 1e9; 0:
 *     nobody watches
 * @return T what `$main` returns
 * @throws DeadlockException when all coroutines wait for one another
 * @throws \Throwable what `$main` throws
 */
function run(callable $main, int $coroutines = 100000, int $pooledStacks = 256, float $stallSeconds = 1.0): mixed {}

/** How many coroutines there are: in this worker, or under this run(). All are zero outside of both. */
function stats(): Stats {}

/**
 * Calls `$function` in a coroutine of its own, as soon as the running one waits.
 *
 * @template T
 * @template A = mixed
 * @template B = mixed
 * @template C = mixed
 * @param (callable(): T)|(callable(A): T)|(callable(A, B): T)|(callable(A, B, C): T) $function
 * @param mixed ...$arguments for `$function`, also by name
 * @return Task<T>
 * @throws LimitException when as many live as may: `\Sluice\Limits::$coroutines`, or the argument to run()
 */
function spawn(callable $function, mixed ...$arguments): Task {}

/**
 * Lets the others run for that long. Outside a coroutine it sleeps as usleep() does.
 *
 * @param float $seconds 0 to 1e9; a resolution of 1 ms. With 0 all others that can go on do so once.
 */
function sleep(float $seconds): void {}

/**
 * Calls all of them at once, each in a coroutine, and waits for all. The first that throws cancels the others; its
 * exception comes out of here once they have ended.
 *
 * @template T = mixed
 * @param callable(): T ...$functions
 * @return array<T> what they return, under the keys and in the order of the arguments
 */
function all(callable ...$functions): array {}

/**
 * Calls all of them at once, each in a coroutine, and waits for all. One that throws cancels none of the others: each has an
 * outcome of its own. For pages that show what has come, and leave out what has not.
 *
 * @template T = mixed
 * @param callable(): T ...$functions
 * @return array<Outcome<T>> under the keys and in the order of the arguments
 */
function settle(callable ...$functions): array {}

/**
 * Calls all of them at once and gives what the first one returns that does not throw; the others are cancelled. When
 * all throw, the last one's exception comes out of here.
 *
 * @template T = mixed
 * @param callable(): T ...$functions
 * @return T
 */
function any(callable ...$functions): mixed {}

/**
 * Calls all of them at once; what the first one returns or throws that ends is the outcome, the others are cancelled.
 *
 * @template T = mixed
 * @param callable(): T ...$functions
 * @return T
 */
function race(callable ...$functions): mixed {}

/**
 * Calls `$function` with each of the items, at most `$limit` at once. The first call that throws cancels the others.
 *
 * @template K of array-key
 * @template V
 * @template R
 * @param array<K, V> $items
 * @param callable(V): R $function
 * @param int $limit 1 to 10000
 * @return array<K, R> what the calls return, under the keys and in the order of the items
 */
function map(array $items, callable $function, int $limit = 64): array {}

/**
 * Calls `$function` and waits for it for so long; then cancels it and, when it has ended, throws TimeoutException.
 *
 * @template T
 * @param float $seconds 0.001 to 1e9
 * @param callable(): T $function
 * @return T
 * @throws TimeoutException
 * @throws \Throwable what `$function` throws
 */
function timeout(float $seconds, callable $function): mixed {}

/**
 * Calls `$function` when the running coroutine ends, or in a server the handler: what was deferred last first,
 * after an exception or a cancellation, too. What it throws comes out of the coroutine, with an exception that is on its
 * way already as the previous one. It is not called when the script ends by exit() in this very coroutine, or by a fatal
 * error.
 *
 * @param callable(): mixed $function
 */
function defer(callable $function): void {}

/**
 * Calls `$function` in the running coroutine, which is not cancelled meanwhile: what cancels it waits, and is thrown where
 * the coroutine waits next after this call. For what must not stop half-way. Coroutines that `$function` waits for are
 * not cancelled either, as nothing cancels them but the one that waits.
 *
 * @template T
 * @param callable(): T $function
 * @return T what `$function` returns
 */
function shield(callable $function): mixed {}

/**
 * Makes static properties belong to the request: each handler begins with the values that they have outside of all handlers, and
 * what it sets is for it and for the coroutines and timers that it starts, until the last of these has ended. For code that keeps its state
 * in statics, and is to serve several requests at a time. A property that subclasses inherit is one property, as it is in PHP.
 *
 * Call it before `Server::run()`, or in `onWorkerStart()`; it loads the class. Isolating a property again does nothing.
 *
 * @param class-string $class
 * @param string ...$properties names without `$`, private ones as well; none: all static properties that the class has
 * @throws \ValueError when there is no such class or property, when it is not static, or belongs to a trait or to a class of an extension
 * @throws \Error once a worker serves, or while something runs in asRequest()
 */
function isolate(string $class, string ...$properties): void {}

/**
 * Calls `$function` in the running coroutine as if it were a handler: what isolate() was told of begins with the values that it has outside of
 * all handlers, and afterwards is what it was before. For jobs of a queue, commands, and tests.
 *
 * @template T
 * @param callable(): T $function
 * @return T what `$function` returns
 */
function asRequest(callable $function): mixed {}

/**
 * A call that goes on in a coroutine of its own.
 *
 * @template-covariant T
 * @strict-properties
 * @not-serializable
 */
final class Task
{
    private function __construct() {}

    /**
     * Waits until it has ended. Any number of coroutines may wait for one task.
     *
     * @return T what it returned; what it threw is thrown here
     */
    public function await(): mixed {}

    /**
     * Has CancelledError thrown where it waits or will wait next; what has not begun does not begin. A task may
     * catch it, and clean up, but should then end.
     *
     * @return bool whether it was still to end
     */
    public function cancel(): bool {}

    public function isDone(): bool {}

    /** What every coroutine begins with; not to be called. */
    private static function work(): void {}
}

/**
 * What became of one call of settle(): a value or an error.
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
     * What the function returned; throws what it threw.
     *
     * @return T
     * @throws \Throwable
     */
    public function get(): mixed {}
}

/**
 * Thrown where a cancelled coroutine waits, once: what waits afterwards, to clean up, does so undisturbed. Let it
 * through, or end soon. A call of C that was waiting returns its own error first; a driver that makes an exception of
 * that has this one as the previous one.
 *
 * It is an \Error, so that `catch (\Exception)`, by which frameworks log what has failed and answer 500, lets it through.
 * Code that catches \Throwable should throw it again.
 *
 * Cancelled are: tasks by `Task::cancel()` and by what waits for them (`all()`, `settle()`, `any()`, `race()`, `map()`,
 * `timeout()`) when that is decided or is cancelled itself; an HTTP handler whose client has closed its connection, or that
 * takes longer than `requestSeconds`. What a handler has started by `spawn()` goes on.
 */
final class CancelledError extends \Error {}

/**
 * @strict-properties
 * @not-serializable
 */
final class Stats
{
    /** Coroutines that have begun and not ended, or are about to begin. */
    public readonly int $live;
    /** The most that have lived at a time. */
    public readonly int $peak;
    /** Fibers that are kept for the next ones. */
    public readonly int $pooled;
    /** The most that may live at a time: what was asked for, or what `vm.max_map_count` allows when that is less. */
    public readonly int $limit;

    private function __construct() {}
}

/** There are as many coroutines as there may be; the message names the limit. */
final class LimitException extends \RuntimeException {}

/** The time given to timeout() was over. */
final class TimeoutException extends \RuntimeException {}

/**
 * A connection, or a stream, was to be used by one coroutine while another one waits in a call that uses it. The message
 * names both places. The second call was not made, and the first one goes on. Give each coroutine a connection of its own:
 * `Sluice\Pool` does. One coroutine may read a stream or a socket while another one writes to it.
 *
 * It is also thrown for a connection on which another coroutine has a transaction open, until the transaction or that coroutine
 * has ended. Coroutines that it has spawned may use the connection.
 */
final class ConcurrentUseException extends \LogicException {}

/**
 * All coroutines wait for one another, so none of them would ever go on. The message says in what and where each waits.
 *
 * In a server it is thrown out of Fiber::suspend() in a coroutine whose Fiber nobody holds: nobody would ever resume it.
 */
final class DeadlockException extends \LogicException {}
