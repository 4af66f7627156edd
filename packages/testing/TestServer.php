<?php

declare(strict_types=1);

namespace Sluice\Testing;

/** A server that a test starts as a user would, from a script, and that ends with the test: with 0, and with no process left. */
final class TestServer
{
    private const DEADLINE_S = 20.0;

    /** @var resource|null */
    private $process;

    /** @param resource $process */
    private function __construct($process, public readonly int $port, private readonly string $log)
    {
        $this->process = $process;
    }

    /**
     * The script finds `ADDRESS` (also as `SLUICE_ADDRESS`) and `MODE` (also as `SLUICE_MODE`) (`process` or `base`) in its environment.
     *
     * @param array<string, string> $environment
     */
    public static function start(string $script, string $mode = 'process', array $environment = []): self
    {
        return self::startCommand([self::php(), $script], $mode, $environment);
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     * @param int|null $port where the command listens; null: at its `ADDRESS`
     */
    public static function startCommand(array $command, string $mode = 'process', array $environment = [], ?string $folder = null, ?int $port = null): self
    {
        $port ??= self::freePort();
        $log = (string) \tempnam(\sys_get_temp_dir(), 'sluice-packages-');
        $streams = [['file', '/dev/null', 'r'], ['file', $log, 'a'], ['file', $log, 'a']];
        $address = "127.0.0.1:$port";
        $environment += ['ADDRESS' => $address, 'SLUICE_ADDRESS' => $address, 'MODE' => $mode, 'SLUICE_MODE' => $mode] + \getenv();
        $process = \proc_open($command, $streams, $pipes, $folder, $environment);
        if ($process === false) {
            throw new \RuntimeException('The server cannot be started: ' . \implode(' ', $command));
        }
        $server = new self($process, $port, $log);
        $server->waitUntil(static function () use ($server, $port): bool {
            if (!\proc_get_status($server->process ?? throw new \LogicException())['running']) {
                throw new \RuntimeException("The server has ended instead of serving:\n{$server->log()}");
            }
            $socket = @\stream_socket_client("tcp://127.0.0.1:$port", timeout: 1);
            return $socket !== false && \fclose($socket);
        }, 'it answers');
        return $server;
    }

    /** PHP with the extension loaded. */
    public static function php(): string
    {
        return \getenv('SLUICE_PHP') ?: \dirname(__DIR__, 2) . '/build/release/php';
    }

    public function url(string $path = '/'): string
    {
        return "http://127.0.0.1:$this->port$path";
    }

    /**
     * Sends a request, and gives the answer; redirects are not followed.
     *
     * @param list<string> $headers
     * @param string|array<string, mixed>|null $body an array: a multipart form
     */
    public function request(string $method, string $path, array $headers = [], string|array|null $body = null): Answer
    {
        return Answer::of(self::prepare($this->url($path), $method, $headers, $body));
    }

    /** @param list<string> $headers */
    public function get(string $path, array $headers = []): Answer
    {
        return $this->request('GET', $path, $headers);
    }

    /**
     * Requests all paths at once.
     *
     * @param array<string> $paths
     * @param list<string> $headers
     * @return array<Answer> with the keys of $paths
     */
    public function getAll(array $paths, array $headers = []): array
    {
        $all = \curl_multi_init();
        $handles = \array_map(fn(string $path) => self::prepare($this->url($path), 'GET', $headers, null), $paths);
        foreach ($handles as $handle) {
            \curl_multi_add_handle($all, $handle);
        }
        do {
            \curl_multi_exec($all, $running);
            \curl_multi_select($all, 0.1);
        } while ($running > 0);
        return \array_map(static fn(\CurlHandle $handle) => Answer::from($handle, (string) \curl_multi_getcontent($handle)), $handles);
    }

    /** Sends these bytes on a new connection, and gives all that comes until the server closes the connection. */
    public function raw(string $bytes): string
    {
        $socket = \stream_socket_client("tcp://127.0.0.1:$this->port", timeout: self::DEADLINE_S) ?: throw new \RuntimeException();
        \stream_set_timeout($socket, (int) self::DEADLINE_S);
        \fwrite($socket, $bytes);
        return (string) \stream_get_contents($socket);
    }

    public function signal(int $signal): void
    {
        \posix_kill(\proc_get_status($this->process ?? throw new \LogicException('The server was stopped already'))['pid'], $signal);
    }

    public function log(): string
    {
        return (string) \file_get_contents($this->log);
    }

    /**
     * What `detectLeaks()` has reported, when the server's script calls it.
     *
     * @return list<string>
     */
    public function leaks(): array
    {
        \preg_match_all('/ Leak: (.*)/', $this->log(), $found);
        return $found[1];
    }

    /** @param callable(): bool $condition */
    public function waitUntil(callable $condition, string $what): void
    {
        $deadline = \microtime(true) + self::DEADLINE_S;
        while (!$condition()) {
            if (\microtime(true) > $deadline) {
                throw new \RuntimeException("Timed out waiting until $what:\n{$this->log()}");
            }
            \usleep(10_000);
        }
    }

    /**
     * Ends the server, and throws when it does not end well.
     *
     * @return string all of its log
     */
    public function stop(): string
    {
        $process = $this->process ?? throw new \LogicException('The server was stopped already');
        $this->process = null;
        \proc_terminate($process);
        $status = null;
        $this->waitUntil(static function () use ($process, &$status): bool {
            $status = \proc_get_status($process);
            return !$status['running'];
        }, 'it has ended');
        \proc_close($process);
        $log = $this->log();
        \unlink($this->log);
        if (!\is_array($status) || $status['exitcode'] !== 0) {
            throw new \RuntimeException("The server has not ended well:\n$log");
        }
        return $log;
    }

    public function __destruct()
    {
        if ($this->process !== null) {
            \proc_terminate($this->process, \SIGKILL);
            \proc_close($this->process);
            @\unlink($this->log);
        }
    }

    /** A port below the range for outgoing connections, so that no client takes it meanwhile. */
    public static function freePort(): int
    {
        /** @var array<int, resource> $taken */
        static $taken = [];
        do {
            $port = \random_int(10_000, 11_999);
            // This process keeps the name, for tests of several packages run side by side.
            $mine = @\stream_socket_server("unix://\0sluice-packages-$port");
            $socket = $mine === false ? false : @\stream_socket_server("tcp://127.0.0.1:$port");
        } while ($socket === false);
        \fclose($socket);
        $taken[$port] = $mine;
        return $port;
    }

    /**
     * @param list<string> $headers
     * @param string|array<string, mixed>|null $body
     */
    private static function prepare(string $url, string $method, array $headers, string|array|null $body): \CurlHandle
    {
        $handle = \curl_init($url) ?: throw new \RuntimeException("curl does not take $url");
        \curl_setopt_array($handle, [
            \CURLOPT_CUSTOMREQUEST => $method === '' ? throw new \ValueError('A request has a method') : $method,
            \CURLOPT_NOBODY => $method === 'HEAD',
            \CURLOPT_HTTPHEADER => $headers,
            \CURLOPT_RETURNTRANSFER => true,
            \CURLOPT_HEADER => true,
            \CURLOPT_TIMEOUT => (int) self::DEADLINE_S,
        ] + ($body === null ? [] : [\CURLOPT_POSTFIELDS => $body]));
        return $handle;
    }
}
