<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Coroutine as Engine;
use Sluice\Swoole\Callback;
use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Numbers;
use Sluice\Swoole\Options;
use Sluice\Swoole\Signals;
use Sluice\Swoole\Wait;
use Sluice\Swoole\Waits;
use Swoole\Coroutine\Context;
use Swoole\Coroutine\Iterator;

class Coroutine
{
    public static function create(mixed $func, mixed ...$param): int|false
    {
        return Coroutines::start(Callback::of($func, 1, 'func'), $param);
    }

    public static function defer(mixed $callback): void
    {
        $callback = Callback::of($callback, 1);
        if (Engine\id() === 0) {
            throw Errors::exception('API must be called in the coroutine');
        }
        Coroutines::defer(Engine\id(), $callback);
    }

    /** @param array<string, mixed> $options */
    public static function set(array $options): void
    {
        Options::check('Swoole\\Coroutine::set', $options, Options::COROUTINE);
        Coroutines::$options = $options + Coroutines::$options;
        if (\is_int($options['hook_flags'] ?? null)) {
            Runtime::enableCoroutine($options['hook_flags']);
        }
        if (isset($options['enable_preemptive_scheduler'])) {
            Coroutines::preemptAsAsked();
        }
    }

    /** @return array<string, mixed>|null */
    public static function getOptions(): ?array
    {
        return Coroutines::$options ?: null;
    }

    public static function exists(int $cid): bool
    {
        return Coroutines::exists(Numbers::id($cid));
    }

    public static function yield(): bool
    {
        return Wait::for() === Wait::Woken;
    }

    public static function suspend(): bool
    {
        return self::yield();
    }

    public static function resume(int $cid): bool
    {
        $id = Numbers::id($cid);
        if ($id !== 0 && Engine\resume($id)) {
            return true;
        }
        return Errors::warn(
            Coroutines::exists($id)
                ? "can not resume the coroutine#$cid: it does not wait in yield()"
                : "coroutine#$cid does not exist",
            \SWOOLE_ERROR_CO_NOT_EXISTS,
        );
    }

    public static function cancel(int $cid, bool $throw_exception = false): bool
    {
        $id = Numbers::id($cid);
        if ($id !== 0 && $id === Engine\id()) {
            return Errors::fail(\SWOOLE_ERROR_CO_CANNOT_CANCEL);
        }
        if (!Coroutines::exists($id)) {
            return Errors::fail(\SWOOLE_ERROR_CO_NOT_EXISTS);
        }
        return Waits::cancel($id, $throw_exception) ?: Errors::fail(\SWOOLE_ERROR_CO_CANNOT_CANCEL);
    }

    /** @param list<int> $cid_array */
    public static function join(array $cid_array, float $timeout = -1): bool
    {
        $id = Engine\id();
        if ($cid_array === []) {
            return Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
        }
        $isTwice = \count(\array_unique($cid_array)) < \count($cid_array);
        $cid_array = \array_map(Numbers::id(...), $cid_array);
        if (\in_array($id, $cid_array, true)) {
            return Errors::warn('can not join self', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : null;
        if ($isTwice) {
            return Errors::fail(\SWOOLE_ERROR_WRONG_OPERATION);
        }
        // Those that have ended need no wait.
        $cid_array = \array_values(\array_filter($cid_array, Coroutines::exists(...)));
        if ($cid_array === []) {
            return Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
        }
        foreach ($cid_array as $cid) {
            if (isset(Coroutines::$joiners[$cid])) {
                return Errors::fail(\SWOOLE_ERROR_WRONG_OPERATION);
            }
        }
        foreach ($cid_array as $cid) {
            while (isset(Coroutines::$begun[$cid])) {
                $left = $deadline === null ? -1.0 : $deadline - \microtime(true);
                if ($deadline !== null && $left <= 0) {
                    return Errors::fail(\SWOOLE_ERROR_CO_TIMEDOUT);
                }
                Coroutines::$joiners[$cid][] = $id;
                $wait = Wait::for($left);
                if ($wait !== Wait::Woken) {
                    unset(Coroutines::$joiners[$cid]);
                    return Errors::fail($wait === Wait::Cancelled ? \SWOOLE_ERROR_CO_CANCELED : \SWOOLE_ERROR_CO_TIMEDOUT);
                }
            }
        }
        return true;
    }

    public static function isCanceled(): bool
    {
        return Waits::isCancelled(Engine\id());
    }

    /** @return array<string, int> */
    public static function stats(): array
    {
        $number = \count(Coroutines::numbers());
        return [
            'event_num' => Event::count(),
            'signal_listener_num' => Signals::count(),
            'aio_task_num' => 0,
            'aio_worker_num' => 0,
            'aio_queue_size' => 0,
            'c_stack_size' => 2 << 20,
            'coroutine_num' => $number,
            'coroutine_peak_num' => \max(Coroutines::$peak, $number),
            'coroutine_last_cid' => Numbers::last(),
        ];
    }

    public static function getCid(): int
    {
        return Numbers::of(Engine\id());
    }

    public static function getuid(): int
    {
        return self::getCid();
    }

    public static function getPcid(int $cid = 0): false|int
    {
        $id = $cid === 0 ? Engine\id() : Numbers::id($cid);
        $parent = $id === 0 ? null : Engine\parentId($id);
        return $parent === null ? false : Numbers::of($parent);
    }

    public static function getContext(int $cid = 0): ?Context
    {
        $id = $cid === 0 ? Engine\id() : Numbers::id($cid);
        return $id === 0 ? null : Coroutines::context($id);
    }

    /** @return list<array<string, mixed>>|false */
    public static function getBackTrace(int $cid = 0, int $options = \DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): array|false
    {
        $id = Engine\id();
        if ($cid === 0 || Numbers::id($cid) === $id) {
            $trace = \debug_backtrace($options, $limit);
        } else {
            $fiber = Engine\fiber(Numbers::id($cid));
            if ($fiber === null) {
                return false;
            }
            $trace = (new \ReflectionFiber($fiber))->getTrace($options);
        }
        $own = \dirname(__DIR__, 2);
        $seen = [];
        foreach ($trace as $frame) {
            $file = \is_array($frame) ? ($frame['file'] ?? '') : '';
            if (\is_array($frame) && \is_string($file) && $file !== '' && !\str_starts_with($file, $own)) {
                /** @var array<string, mixed> $frame */
                $seen[] = $frame;
            }
        }
        return $limit > 0 ? \array_slice($seen, 0, $limit) : $seen;
    }

    public static function printBackTrace(int $cid = 0, int $options = 0, int $limit = 0): void
    {
        foreach (self::getBackTrace($cid, $options, $limit) ?: [] as $number => $frame) {
            $name = (\is_string($frame['class'] ?? null) ? $frame['class'] . '::' : '') . (\is_string($frame['function'] ?? null) ? $frame['function'] : '');
            $file = \is_string($frame['file'] ?? null) ? $frame['file'] : '';
            $line = \is_int($frame['line'] ?? null) ? $frame['line'] : 0;
            echo "#$number  $name() called at [$file:$line]\n";
        }
    }

    public static function getElapsed(int $cid = 0): int
    {
        $begun = Coroutines::$begun[$cid === 0 ? Engine\id() : Numbers::id($cid)] ?? null;
        return $begun === null ? -1 : (int) \round((\microtime(true) - $begun) * 1000);
    }

    public static function getStackUsage(int $cid = 0): false|int
    {
        return Coroutines::exists($cid === 0 ? Engine\id() : Numbers::id($cid)) ? 8192 : false;
    }

    public static function list(): Iterator
    {
        return new Iterator(\array_reverse(Coroutines::numbers()));
    }

    public static function listCoroutines(): Iterator
    {
        return self::list();
    }

    public static function enableScheduler(): bool
    {
        return false;
    }

    public static function disableScheduler(): bool
    {
        return false;
    }

    public static function getExecuteTime(): int
    {
        return (int) ((\microtime(true) - (Coroutines::$begun[Engine\id()] ?? \microtime(true))) * 1e6);
    }

    public static function setTimeLimit(float $timeout): bool
    {
        return Errors::warn('this method is not offered: use Sluice\Coroutine\timeout()');
    }

    // The methods of Swoole\Coroutine\System, under their older names.

    public static function sleep(float $seconds): bool
    {
        return Coroutine\System::sleep($seconds);
    }

    /** @return array{code: int, signal: int, output: string}|false */
    public static function exec(string $command, bool $get_error_stream = false): array|false
    {
        return Coroutine\System::exec($command, $get_error_stream);
    }

    public static function gethostbyname(string $domain_name, int $type = \AF_INET, float $timeout = -1): false|string
    {
        return Coroutine\System::gethostbyname($domain_name, $type, $timeout);
    }

    public static function dnsLookup(string $domain_name, float $timeout = 60, int $type = \AF_INET): string|false
    {
        return Coroutine\System::dnsLookup($domain_name, $timeout, $type);
    }

    /** @return list<string>|false */
    public static function getaddrinfo(string $domain, int $family = \AF_INET, int $socktype = \SOCK_STREAM, int $protocol = 6, ?string $service = null, float $timeout = -1): array|false
    {
        return Coroutine\System::getaddrinfo($domain, $family, $socktype, $protocol, $service, $timeout);
    }

    public static function readFile(string $filename, int $flag = 0): false|string
    {
        return Coroutine\System::readFile($filename, $flag);
    }

    public static function writeFile(string $filename, string $fileContent, int $flags = 0): false|int
    {
        return Coroutine\System::writeFile($filename, $fileContent, $flags);
    }

    /** @return array<string, int>|false */
    public static function statvfs(string $path): array|false
    {
        return Coroutine\System::statvfs($path);
    }

    /** @return array{pid: int, code: int, signal: int}|false */
    public static function wait(float $timeout = -1): array|false
    {
        return Coroutine\System::wait($timeout);
    }

    /** @return array{pid: int, code: int, signal: int}|false */
    public static function waitPid(int $pid, float $timeout = -1): array|false
    {
        return Coroutine\System::waitPid($pid, $timeout);
    }

    /** @param int|list<int> $signals */
    public static function waitSignal(int|array $signals, float $timeout = -1): int|false
    {
        return Coroutine\System::waitSignal($signals, $timeout);
    }

    public static function waitEvent(mixed $socket, int $events = \SWOOLE_EVENT_READ, float $timeout = -1): int|false
    {
        return Coroutine\System::waitEvent($socket, $events, $timeout);
    }
}
