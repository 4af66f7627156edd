<?php

declare(strict_types=1);

// Swoole's functions outside of namespaces.

use Sluice\Swoole\Errors;
use Sluice\Swoole\Machine;
use Sluice\Swoole\MimeTypes;
use Sluice\Swoole\Options;
use Swoole\Coroutine;
use Swoole\Event;
use Swoole\Timer;

function swoole_version(): string
{
    return SWOOLE_VERSION;
}

function swoole_cpu_num(): int
{
    return Machine::processors();
}

function swoole_last_error(): int
{
    return Errors::last();
}

function swoole_errno(): int
{
    return Errors::last();
}

function swoole_clear_error(): void
{
    Errors::set(0);
}

function swoole_strerror(int $errno, int $error_type = SWOOLE_STRERROR_SYSTEM): string
{
    return Machine::errorText($errno);
}

function swoole_error_log(int $level, string $msg): void
{
    swoole_error_log_ex($level, 0, $msg);
}

function swoole_error_log_ex(int $level, int $error, string $msg): void
{
    $names = ['DEBUG', 'TRACE', 'INFO', 'NOTICE', 'WARNING', 'ERROR'];
    if (isset($names[$level])) {
        error_log("{$names[$level]}\t" . ($error !== 0 ? "(ERRNO $error): " : '') . $msg);
    }
}

function swoole_ignore_error(int $error): void {}

/** @param array<string, mixed> $settings */
function swoole_async_set(array $settings): bool
{
    Coroutine::set($settings);
    return true;
}

function swoole_async_dns_lookup_coro(string $domain_name, float $timeout = 60, int $type = AF_INET): string|false
{
    return Coroutine\System::dnsLookup($domain_name, $timeout, $type);
}

function swoole_coroutine_create(mixed $func, mixed ...$params): int|false
{
    return Coroutine::create($func, ...$params);
}

function swoole_coroutine_defer(mixed $callback): void
{
    Coroutine::defer($callback);
}

/** @return array{Coroutine\Socket, Coroutine\Socket}|false */
function swoole_coroutine_socketpair(int $domain, int $type, int $protocol): array|false
{
    if (!socket_create_pair($domain, $type, $protocol, $pair) || !is_array($pair)) {
        return false;
    }
    [$first, $second] = $pair;
    return $first instanceof Socket && $second instanceof Socket ? [Coroutine\Socket::wrap($first), Coroutine\Socket::wrap($second)] : false;
}

/**
 * Waits until clients or processes can be read from or written to: the arrays keep those.
 *
 * @param array<array-key, mixed>|null $read
 * @param array<array-key, mixed>|null $write
 * @param array<array-key, mixed>|null $except
 */
function swoole_client_select(?array &$read, ?array &$write, ?array &$except, ?float $timeout = 0.5): int
{
    $except = $except === null ? null : [];
    $streams = static fn(?array $all): array => array_filter(array_map(Sluice\Swoole\Streams::of(...), $all ?? []));
    $waiter = new Sluice\Internal\Waiter();
    [$readable, $writable] = $waiter->waitForStreams($streams($read), $streams($write), $timeout === null || $timeout < 0 ? 1e9 : $timeout);
    $read = $read === null ? null : array_intersect_key($read, array_flip($readable));
    $write = $write === null ? null : array_intersect_key($write, array_flip($writable));
    return count($readable) + count($writable);
}

/**
 * @param array<array-key, mixed>|null $read
 * @param array<array-key, mixed>|null $write
 * @param array<array-key, mixed>|null $except
 */
function swoole_select(?array &$read, ?array &$write, ?array &$except, ?float $timeout = 0.5): int
{
    return swoole_client_select($read, $write, $except, $timeout);
}

function swoole_set_process_name(string $process_name): bool
{
    return @cli_set_process_title($process_name);
}

/** @return array<string, string> */
function swoole_get_local_ip(int $family = AF_INET): array
{
    return Machine::addresses($family);
}

/** @return array<string, string> */
function swoole_get_local_mac(): array
{
    return Machine::hardwareAddresses();
}

function swoole_hashcode(string $data, int $type = 0): int
{
    return $type === 1 ? crc32($data) : (int) hexdec(substr(hash('fnv1a64', $data), 1));
}

function swoole_mime_type_add(string $suffix, string $mime_type): bool
{
    return MimeTypes::add($suffix, $mime_type);
}

function swoole_mime_type_set(string $suffix, string $mime_type): void
{
    MimeTypes::set($suffix, $mime_type);
}

function swoole_mime_type_delete(string $suffix): bool
{
    return MimeTypes::delete($suffix);
}

function swoole_mime_type_get(string $filename): string
{
    return MimeTypes::of($filename);
}

function swoole_mime_type_exists(string $filename): bool
{
    return MimeTypes::has($filename);
}

/** @return array<string, string> */
function swoole_mime_type_list(): array
{
    return MimeTypes::all();
}

function swoole_clear_dns_cache(): void {}

/** @param array<string, mixed> $options */
function swoole_substr_unserialize(string $str, int $offset, int $length = 0, array $options = []): mixed
{
    $allowed = $options['allowed_classes'] ?? true;
    return @unserialize(substr($str, $offset, $length ?: null), ['allowed_classes' => $allowed === true]);
}

function swoole_substr_json_decode(string $str, int $offset, int $length = 0, bool $associative = false, int $depth = 512, int $flags = 0): mixed
{
    return json_decode(substr($str, $offset, $length ?: null), $associative, max(1, $depth), $flags);
}

function swoole_internal_call_user_shutdown_begin(): bool
{
    return true;
}

function swoole_library_set_option(string $key, mixed $value): void {}

/** @param array<string, mixed> $options */
function swoole_library_set_options(array $options): void {}

function swoole_library_get_option(string $key): mixed
{
    return null;
}

function swoole_init_default_remote_object_server(): void {}

function swoole_timer_tick(int $ms, mixed $callback, mixed ...$params): false|int
{
    return Timer::tick($ms, $callback, ...$params);
}

function swoole_timer_after(int $ms, mixed $callback, mixed ...$params): false|int
{
    return Timer::after($ms, $callback, ...$params);
}

function swoole_timer_exists(int $timer_id): bool
{
    return Timer::exists($timer_id);
}

/** @return array<string, int|bool>|null */
function swoole_timer_info(int $timer_id): ?array
{
    return Timer::info($timer_id);
}

/** @return array{initialized: bool, num: int, round: int} */
function swoole_timer_stats(): array
{
    return Timer::stats();
}

function swoole_timer_list(): Timer\Iterator
{
    return Timer::list();
}

function swoole_timer_clear(int $timer_id): bool
{
    return Timer::clear($timer_id);
}

function swoole_timer_clear_all(): bool
{
    return Timer::clearAll();
}

/** @param array<string, mixed> $settings */
function swoole_timer_set(array $settings): void
{
    Timer::set($settings);
}

function swoole_event_add(mixed $fd, mixed $read_callback = null, mixed $write_callback = null, int $events = SWOOLE_EVENT_READ): false|int
{
    return Event::add($fd, $read_callback, $write_callback, $events);
}

function swoole_event_set(mixed $fd, mixed $read_callback = null, mixed $write_callback = null, int $events = 0): bool
{
    return Event::set($fd, $read_callback, $write_callback, $events);
}

function swoole_event_del(mixed $fd): bool
{
    return Event::del($fd);
}

function swoole_event_write(mixed $fd, string $data): bool
{
    return Event::write($fd, $data);
}

function swoole_event_wait(): void
{
    Event::wait();
}

function swoole_event_exit(): void
{
    Event::exit();
}

function swoole_event_defer(mixed $callback): bool
{
    return Event::defer($callback);
}

function swoole_event_cycle(?callable $callback, bool $before = false): bool
{
    return Event::cycle($callback, $before);
}

function swoole_event_dispatch(): bool
{
    return Event::dispatch();
}

function swoole_event_isset(mixed $fd, int $events = SWOOLE_EVENT_READ | SWOOLE_EVENT_WRITE): bool
{
    return Event::isset($fd, $events);
}
