<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/**
 * What becomes of the options of `set()`: each one does what it says, or is a warning. An empty sentence: it does what it says. `~` and a
 * sentence: it has no effect, and need not have one, as the sentence says; that is no warning. Another sentence is the warning.
 */
final class Options
{
    private const NO_THREADS = '~Sluice chooses the threads that hold connections by itself';
    private const NO_AIO = '~file calls suspend without threads of their own to be configured';
    private const NO_SWITCH = 'Sluice has no switch for this; remove the option';
    private const NAMES = 'names are looked up by the system: /etc/resolv.conf has its timeout';
    private const NO_BUFFER_EVENTS = 'onBufferFull and onBufferEmpty do not come: push() and send() say what became of the data';
    private const SUPERVISOR = 'let a supervisor such as systemd start the server; it stays in the foreground';

    public const COROUTINE = [
        'deadlock_check_max_stack' => '~one line for each coroutine is told', 'socket_send_timeout' => '~a peer that takes nothing ends the call after write_timeout',
        'thread_num' => self::NO_AIO, 'min_thread_num' => self::NO_AIO, 'max_thread_num' => self::NO_AIO,
        'max_coro_num' => '', 'max_coroutine' => '', 'enable_deadlock_check' => '', 'hook_flags' => '', 'socket_timeout' => '',
        'socket_connect_timeout' => '', 'socket_read_timeout' => '', 'socket_write_timeout' => '', 'socket_dns_timeout' => self::NAMES,
        'log_level' => '~the layer writes no log of its own', 'trace_flags' => '~the layer has no trace', 'log_file' => '',
        'stack_size' => '~stacks grow as they are used', 'c_stack_size' => '~stacks grow as they are used',
        'dns_cache_expire' => '~names are looked up by the system', 'dns_cache_capacity' => '~names are looked up by the system',
        'dns_server' => 'names are looked up by the system: change /etc/resolv.conf', 'display_errors' => '~PHP\'s own display_errors decides',
        'aio_core_worker_num' => self::NO_AIO, 'aio_worker_num' => self::NO_AIO, 'aio_max_wait_time' => self::NO_AIO,
        'aio_max_idle_time' => self::NO_AIO, 'enable_preemptive_scheduler' => '', 'exit_condition' => 'it is not called',
        'deadlock_check_disable_trace' => '~the places are always told', 'deadlock_check_limit' => '~twenty places are told',
        'deadlock_check_depth' => '~one line for each coroutine is told', 'max_concurrency' => 'it has no effect on scripts',
        'dns_cache_refresh_time' => '~names are looked up by the system', 'dns_lookup_random' => '~the system chooses',
        'disable_dns_cache' => '~names are looked up by the system', 'use_async_resolver' => '~the system looks names up',
        'enable_coroutine' => '', 'iouring_workers' => self::NO_AIO, 'iouring_entries' => self::NO_AIO, 'iouring_flag' => self::NO_AIO,
        'wait_signal' => '', 'reload_async' => '~reloads drain workers', 'name_resolver' => 'names are looked up by the system', 'socket_buffer_size' => '~the kernel chooses',
    ];

    public const PORT = [
        'package_max_length' => '', 'open_eof_check' => '', 'open_eof_split' => '', 'package_eof' => '', 'open_length_check' => '',
        'package_length_type' => '', 'package_length_offset' => '', 'package_body_offset' => '', 'package_body_start' => '',
        'package_length_func' => '', 'open_http_protocol' => '', 'open_websocket_protocol' => '', 'open_http2_protocol' => '',
        'ssl_cert_file' => '', 'ssl_key_file' => '', 'ssl_client_cert_file' => '', 'ssl_verify_peer' => '', 'ssl_allow_self_signed' => '',
        'ssl_protocols' => '', 'ssl_method' => 'name the versions by ssl_protocols', 'ssl_ciphers' => 'Sluice\'s list of ciphers is used',
        'ssl_sni_certs' => '', 'ssl_verify_depth' => '~the whole chain is checked', 'ssl_cafile' => '', 'ssl_passphrase' => 'store the key without a passphrase',
        'ssl_prefer_server_ciphers' => '~the server\'s order is used', 'ssl_ecdh_curve' => '~OpenSSL chooses', 'ssl_dhparam' => '~DHE is not offered',
        'ssl_compress' => '~TLS compression is off', 'ssl_disable_compression' => '~TLS compression is off',
        'open_tcp_nodelay' => '~it is always on', 'open_cpu_affinity' => '~the kernel places processes', 'tcp_fastopen' => 'it is not offered',
        'backlog' => '~the kernel\'s net.core.somaxconn is used', 'open_tcp_keepalive' => 'a client that is gone is noticed by max_idle_time, or when it takes nothing for 30 s', 'tcp_keepidle' => '~the kernel\'s figures are used',
        'tcp_keepinterval' => '~the kernel\'s figures are used', 'tcp_keepcount' => '~the kernel\'s figures are used',
        'tcp_user_timeout' => '~a client that takes nothing is closed after 30 s', 'tcp_defer_accept' => '~a silent connection costs nothing',
        'socket_buffer_size' => '', 'buffer_input_size' => '~the kernel chooses', 'kernel_socket_recv_buffer_size' => '~the kernel chooses',
        'kernel_socket_send_buffer_size' => '~the kernel chooses', 'buffer_high_watermark' => self::NO_BUFFER_EVENTS, 'buffer_low_watermark' => self::NO_BUFFER_EVENTS,
        'heartbeat_idle_time' => '', 'heartbeat_check_interval' => '', 'max_idle_time' => '', 'websocket_compression' => '',
        'websocket_subprotocol' => '', 'open_websocket_close_frame' => '', 'open_websocket_ping_frame' => 'pings are answered by the server; onMessage does not see them',
        'open_websocket_pong_frame' => '', 'open_mqtt_protocol' => '', 'open_redis_protocol' => '', 'open_ssl' => '',
        'http2_header_table_size' => self::NO_SWITCH, 'http2_enable_push' => self::NO_SWITCH, 'http2_max_concurrent_streams' => '',
        'http2_init_window_size' => self::NO_SWITCH, 'http2_max_frame_size' => self::NO_SWITCH, 'http2_max_header_list_size' => self::NO_SWITCH, 'http2_max_headers' => 'Sluice\\Http\\Limits::$headFields is the limit',
        'enable_reuse_port' => '~each worker of base mode has a listener of its own', 'send_timeout' => '',
    ];

    public const SERVER = [
        'worker_num' => '', 'reactor_num' => '', 'task_worker_num' => '', 'task_enable_coroutine' => '', 'task_use_object' => '', 'task_object' => '',
        'task_max_request' => 'task workers live until a reload', 'task_max_request_grace' => '~a tenth is added at random', 'task_ipc_mode' => '~tasks go through sockets',
        'task_tmpdir' => '~tasks of any size go through sockets', 'message_queue_key' => 'tasks do not go through message queues',
        'max_queued_bytes' => '~what waits for a worker is bounded by the arena', 'max_request' => '', 'max_request_grace' => '~a tenth is added at random', 'max_conn' => '', 'max_connection' => '',
        'max_coroutine' => '', 'max_coro_num' => '', 'max_concurrency' => '', 'worker_max_concurrency' => '', 'max_wait_time' => '', 'enable_coroutine' => '',
        'hook_flags' => '', 'event_object' => '', 'dispatch_mode' => '', 'dispatch_func' => '',
        'discard_timeout_request' => '~requests of clients that have left are cancelled', 'enable_unsafe_event' => '~onConnect and onClose of TCP and WebSockets always come',
        'enable_delay_receive' => 'confirm() is not offered: each client is read from when there is room',
        'daemonize' => self::SUPERVISOR, 'pid_file' => '', 'log_file' => '', 'log_level' => '~the engine has one level',
        'log_rotation' => 'rotate the log by logrotate', 'log_date_format' => '~the log has ISO dates', 'log_date_with_microseconds' => '~the log has milliseconds',
        'trace_flags' => '~the layer has no trace', 'display_errors' => '~PHP\'s own display_errors decides', 'stats_file' => 'read the figures by stats()',
        'user' => 'start the server as this user, by a supervisor', 'group' => 'start the server as this group, by a supervisor',
        'chroot' => 'start the server in a container', 'document_root' => '', 'enable_static_handler' => '', 'static_handler_locations' => '',
        'http_index_files' => '', 'http_autoindex' => 'folders are never listed', 'http_parse_post' => '', 'http_parse_files' => '', 'http_parse_cookie' => '',
        'http_compression' => '', 'http_compression_level' => '', 'http_gzip_level' => '', 'http_compression_min_length' => '', 'compression_min_length' => '',
        'http_compression_types' => '~text, JSON, XML, fonts and images without compression are compressed', 'upload_tmp_dir' => '', 'upload_max_filesize' => '',
        'buffer_output_size' => '', 'output_buffer_size' => '', 'send_yield' => '', 'reload_async' => '~reloads drain workers',
        'single_thread' => self::NO_THREADS, 'thread_num' => self::NO_THREADS, 'cpu_affinity_ignore' => '~the kernel places processes',
        'compression_level' => '', 'deadlock_check_max_stack' => '~one line for each coroutine is told', 'socket_send_timeout' => '~a client that takes nothing is closed after 30 s', 'start_session_id' => '~numbers of connections are large', 'url_rewrite_rules' => 'rewrite in onRequest',
        'tcp_recv_queue' => '~the kernel chooses', 'enable_server_token' => '~answers have no Server field', 'input_buffer_size' => '~the kernel chooses',
        'bootstrap' => 'Sluice has no threads that run PHP', 'init_arguments' => 'Sluice has no threads that run PHP',
        'enable_deadlock_check' => '', 'enable_preemptive_scheduler' => '', 'exit_condition' => 'it is not called',
        'stack_size' => '~stacks grow as they are used', 'c_stack_size' => '~stacks grow as they are used', 'socket_timeout' => '',
        'socket_connect_timeout' => '', 'socket_read_timeout' => '', 'socket_write_timeout' => '', 'enable_library' => '~the library is part of the layer',
        'aio_core_worker_num' => self::NO_AIO, 'aio_worker_num' => self::NO_AIO, 'aio_max_wait_time' => self::NO_AIO, 'aio_max_idle_time' => self::NO_AIO,
        'disable_dns_cache' => '~names are looked up by the system', 'dns_server' => 'change /etc/resolv.conf', 'dns_cache_refresh_time' => '~names are looked up by the system',
    ] + self::PORT;

    public const POOL = [
        'enable_coroutine' => '', 'enable_message_bus' => '', 'max_package_size' => '', 'max_wait_time' => '', 'hook_flags' => '~all calls suspend that can',
    ];

    public const CLIENT = [
        'timeout' => '', 'connect_timeout' => '', 'read_timeout' => '', 'write_timeout' => '', 'dns_timeout' => self::NAMES, 'keep_alive' => '', 'reconnect' => '',
        'websocket_mask' => '~clients always mask', 'websocket_compression' => '', 'http_compression' => '', 'body_decompression' => '',
        'ssl_verify_peer' => '', 'ssl_allow_self_signed' => '', 'ssl_host_name' => '', 'ssl_cafile' => '', 'ssl_capath' => '', 'ssl_cert_file' => '',
        'ssl_key_file' => '', 'ssl_passphrase' => '', 'lowercase_header' => '', 'bind_address' => '', 'bind_port' => '',
        'http_proxy_host' => 'proxies are not offered', 'http_proxy_port' => 'proxies are not offered', 'http_proxy_user' => 'proxies are not offered',
        'http_proxy_password' => 'proxies are not offered', 'socks5_host' => 'proxies are not offered', 'socks5_port' => 'proxies are not offered',
        'open_tcp_nodelay' => '~it is always on', 'write_func' => '', 'ssl_protocols' => '', 'ssl_ciphers' => '~OpenSSL chooses', 'max_retries' => '',
        'open_websocket_close_frame' => '', 'ssl_disable_compression' => '~TLS compression is off', 'http2_dynamic_table' => self::NO_SWITCH,
        'ssl_method' => '~OpenSSL chooses', 'open_ssl' => '', 'socket_timeout' => '', 'open_websocket_ping_frame' => '', 'method' => '~it is the request\'s',
        'headers' => '~they are the request\'s', 'data' => '~it is the request\'s', 'http2' => '~it is the caller\'s', 'download' => '~it is the request\'s',
    ] + self::PORT;

    /** What is a number of bytes. */
    private const SIZES = [
        'buffer_output_size', 'output_buffer_size', 'socket_buffer_size', 'package_max_length', 'upload_max_filesize', 'compression_min_length', 'http_compression_min_length',
        'http2_header_table_size', 'http2_enable_push', 'http2_max_concurrent_streams', 'http2_init_window_size', 'http2_max_frame_size', 'http2_max_header_list_size',
    ];

    /** @var array<string, true> what was told before */
    private static array $told = [];

    /**
     * @param array<array-key, mixed> $options
     * @param array<string, string> $known
     */
    public static function check(string $where, array $options, array $known): void
    {
        foreach ($options as $name => $value) {
            self::checkSize($where, (string) $name, $value);
            if ($name === 'package_eof' && $value === '') {
                Errors::fatal('package_eof cannot be an empty string');
            }
            $advice = $known[$name] ?? null;
            if ($advice === '' || ($advice !== null && $advice[0] === '~')) {
                continue;
            }
            // What is off asks for nothing.
            if (isset(self::$told["$where $name"]) || (\in_array($name, self::SIZES, true) && \is_numeric($value) && $value < 0) || ($advice !== null && ($value === false || $value === 0 || $value === null))) {
                continue;
            }
            self::$told["$where $name"] = true;
            Errors::warn($advice === null ? "unsupported option [$name]" : "the option $name has no effect: $advice");
        }
    }

    private static function checkSize(string $where, string $name, mixed $value): void
    {
        if (!\in_array($name, self::SIZES, true)) {
            return;
        }
        if (\is_string($value) && !\is_numeric($value)) {
            \set_error_handler(static function (int $level, string $text) use ($value): never {
                Errors::fatal("failed to parse '$value' to size, Error: $text");
            });
            \ini_parse_quantity($value);
            \restore_error_handler();
        } elseif (\is_numeric($value) && $value < 0) {
            Errors::warn("$name must not be negative, $value given", \SWOOLE_ERROR_INVALID_PARAMS);
        }
    }

    /** @param array<array-key, mixed> $options */
    public static function int(array $options, string $name, int $default = 0): int
    {
        $value = $options[$name] ?? $default;
        return \is_scalar($value) ? (int) $value : throw new \TypeError("The option $name must be an integer, " . \get_debug_type($value) . ' given');
    }

    /**
     * A number of bytes: also '2M', as in php.ini.
     *
     * @param array<array-key, mixed> $options
     */
    public static function size(array $options, string $name, int $default = 0): int
    {
        $value = $options[$name] ?? $default;
        return \is_string($value) && !\is_numeric($value) ? \ini_parse_quantity($value) : self::int($options, $name, $default);
    }

    /** @param array<array-key, mixed> $options */
    public static function float(array $options, string $name, float $default = 0.0): float
    {
        $value = $options[$name] ?? $default;
        return \is_scalar($value) ? (float) $value : throw new \TypeError("The option $name must be a number, " . \get_debug_type($value) . ' given');
    }

    /** @param array<array-key, mixed> $options */
    public static function bool(array $options, string $name, bool $default = false): bool
    {
        return (bool) ($options[$name] ?? $default);
    }

    /** @param array<array-key, mixed> $options */
    public static function string(array $options, string $name, string $default = ''): string
    {
        $value = $options[$name] ?? $default;
        return \is_scalar($value) ? (string) $value : throw new \TypeError("The option $name must be a string, " . \get_debug_type($value) . ' given');
    }
}
