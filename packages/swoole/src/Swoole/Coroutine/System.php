<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Coroutine as Engine;
use Sluice\Internal\Waiter;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Streams;
use Sluice\Swoole\Wait;

class System
{
    public static function sleep(float $seconds): bool
    {
        if ($seconds < 0.001) {
            return Errors::warn('Timer must be greater than or equal to ' . \SWOOLE_TIMER_MIN_SEC);
        }
        return Wait::for($seconds) !== Wait::Cancelled;
    }

    /** @return array{code: int, signal: int, output: string}|false */
    public static function exec(string $command, bool $get_error_stream = false): array|false
    {
        $process = \proc_open(['/bin/sh', '-c', $get_error_stream ? "exec 2>&1\n$command" : $command], [1 => ['pipe', 'w']], $pipes);
        if ($process === false) {
            return false;
        }
        $output = (string) \stream_get_contents($pipes[1]);
        \fclose($pipes[1]);
        do {
            $status = \proc_get_status($process);
            if ($status['running']) {
                Engine\sleep(0.001);
            }
        } while ($status['running']);
        \proc_close($process);
        return ['code' => $status['signaled'] ? 0 : $status['exitcode'], 'signal' => $status['signaled'] ? $status['termsig'] : 0, 'output' => $output];
    }

    public static function gethostbyname(string $domain_name, int $type = \AF_INET, float $timeout = -1): false|string
    {
        if ($domain_name === '') {
            return Errors::warn('domain name is empty');
        }
        if (\filter_var($domain_name, \FILTER_VALIDATE_IP) !== false) {
            return $domain_name;
        }
        return self::getaddrinfo($domain_name, $type)[0] ?? Errors::fail(\SWOOLE_ERROR_DNSLOOKUP_RESOLVE_FAILED);
    }

    public static function dnsLookup(string $domain_name, float $timeout = 60, int $type = \AF_INET): string|false
    {
        return self::gethostbyname($domain_name, $type, $timeout);
    }

    /** @return list<string>|false */
    public static function getaddrinfo(string $domain, int $family = \AF_INET, int $socktype = \SOCK_STREAM, int $protocol = 6, ?string $service = null, float $timeout = -1): array|false
    {
        if ($family !== \AF_INET && $family !== \AF_INET6) {
            return Errors::warn('unknown protocol family, must be AF_INET or AF_INET6.');
        }
        $found = \socket_addrinfo_lookup($domain, $service, ['ai_family' => $family, 'ai_socktype' => $socktype]);
        $addresses = [];
        foreach ($found ?: [] as $one) {
            $explained = \socket_addrinfo_explain($one);
            $where = $explained['ai_addr'];
            $address = \is_array($where) ? ($where['sin_addr'] ?? $where['sin6_addr'] ?? null) : null;
            if (\is_string($address)) {
                $addresses[$address] = $address;
            }
        }
        return $addresses === [] ? Errors::fail(\SWOOLE_ERROR_DNSLOOKUP_RESOLVE_FAILED) : \array_values($addresses);
    }

    private static function checkName(string $name, string $what): void
    {
        if ($name === '') {
            throw new \ValueError("$what cannot be empty");
        }
    }

    /** @return array<string, int>|false */
    public static function statvfs(string $path): array|false
    {
        self::checkName($path, 'Path');
        $total = @\disk_total_space($path);
        $free = @\disk_free_space($path);
        if ($total === false || $free === false) {
            return false;
        }
        $block = 4096;
        return [
            'bsize' => $block, 'frsize' => $block, 'blocks' => (int) ($total / $block), 'bfree' => (int) ($free / $block), 'bavail' => (int) ($free / $block),
            'files' => 0, 'ffree' => 0, 'favail' => 0, 'fsid' => 0, 'flag' => 0, 'namemax' => 255,
        ];
    }

    public static function readFile(string $filename, int $flag = 0): false|string
    {
        self::checkName($filename, 'Filename');
        $file = @\fopen($filename, 'r');
        if ($file === false) {
            return Errors::fail(2);
        }
        if ($flag & \LOCK_EX) {
            \flock($file, \LOCK_SH);
        }
        return \stream_get_contents($file);
    }

    public static function writeFile(string $filename, string $fileContent, int $flags = 0): false|int
    {
        self::checkName($filename, 'Filename');
        return @\file_put_contents($filename, $fileContent, $flags & (\FILE_APPEND | \LOCK_EX));
    }

    /** @return array{pid: int, code: int, signal: int}|false */
    public static function wait(float $timeout = -1): array|false
    {
        return self::waitPid(-1, $timeout);
    }

    /** @return array{pid: int, code: int, signal: int}|false */
    public static function waitPid(int $pid, float $timeout = -1): array|false
    {
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        for ($pause = 0.001; ; $pause = \min($pause * 2, 0.02)) {
            $ended = \pcntl_waitpid($pid, $status, \WNOHANG);
            if ($ended > 0 && \is_int($status)) {
                return ['pid' => $ended, 'code' => \pcntl_wifexited($status) ? (int) \pcntl_wexitstatus($status) : 0, 'signal' => \pcntl_wifsignaled($status) ? (int) \pcntl_wtermsig($status) : 0];
            }
            if ($ended < 0) {
                return Errors::fail(\pcntl_get_last_error());
            }
            if (\microtime(true) >= $deadline) {
                return Errors::fail(\SOCKET_ETIMEDOUT);
            }
            if (Wait::for(\min($pause, \max(0.001, $deadline - \microtime(true)))) === Wait::Cancelled) {
                return false;
            }
        }
    }

    /** @param int|list<int> $signals */
    public static function waitSignal(int|array $signals, float $timeout = -1): int|false
    {
        $signals = (array) $signals;
        $id = Engine\id();
        $came = false;
        \pcntl_async_signals(true);
        foreach ($signals as $signal) {
            \pcntl_signal($signal, static function (int $signal) use ($id, &$came): void {
                $came = $signal;
                // No other coroutine runs within the call of a signal's handler.
                Engine\spawn(Wait::wake(...), $id);
            });
        }
        $wait = Wait::for($timeout);
        foreach ($signals as $signal) {
            \pcntl_signal($signal, \SIG_DFL);
        }
        return $wait === Wait::Woken ? $came : Errors::fail($wait === Wait::Cancelled ? \SWOOLE_ERROR_CO_CANCELED : \SOCKET_ETIMEDOUT);
    }

    public static function waitEvent(mixed $socket, int $events = \SWOOLE_EVENT_READ, float $timeout = -1): int|false
    {
        $stream = Streams::of($socket);
        if ($stream === null || ($events & (\SWOOLE_EVENT_READ | \SWOOLE_EVENT_WRITE)) === 0) {
            return Errors::fail(\SWOOLE_ERROR_INVALID_PARAMS);
        }
        [$readable, $writable] = (new Waiter())->waitForStreams(
            $events & \SWOOLE_EVENT_READ ? [$stream] : [],
            $events & \SWOOLE_EVENT_WRITE ? [$stream] : [],
            $timeout > 0 ? $timeout : 1e9,
        );
        $ready = ($readable !== [] ? \SWOOLE_EVENT_READ : 0) | ($writable !== [] ? \SWOOLE_EVENT_WRITE : 0);
        return $ready ?: Errors::fail(\SOCKET_ETIMEDOUT);
    }
}
