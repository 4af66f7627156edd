<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Internal\Waiter;
use Swoole\Coroutine\Socket as CoroutineSocket;

/** A connection of a client. It waits in a coroutine, or blocks outside of one. */
final class Wire
{
    /** @var resource|null */
    private $stream = null;
    public int $errCode = 0;
    public string $errMsg = '';
    private bool $isDatagram = false;
    private ?Readiness $readiness = null;
    private ?CoroutineSocket $socket = null;
    private bool $hasTls = false;

    /**
     * @param array<string, mixed> $options of TLS, by Swoole's names
     */
    public function connect(int $type, string $host, int $port, float $timeout, array $options = []): bool
    {
        $kind = $type & 0xff;
        $this->isDatagram = \in_array($kind, [\SWOOLE_SOCK_UDP, \SWOOLE_SOCK_UDP6, \SWOOLE_SOCK_UNIX_DGRAM], true);
        $name = \str_contains($host, ':') && $kind !== \SWOOLE_SOCK_UNIX_STREAM ? "[$host]" : $host;
        $address = match ($kind) {
            \SWOOLE_SOCK_UDP, \SWOOLE_SOCK_UDP6 => "udp://$name:$port",
            \SWOOLE_SOCK_UNIX_STREAM => "unix://$host",
            \SWOOLE_SOCK_UNIX_DGRAM => "udg://$host",
            default => "tcp://$name:$port",
        };
        $bind = Options::string($options, 'bind_address');
        $socket = $bind === '' ? [] : ['bindto' => "$bind:" . Options::int($options, 'bind_port')];
        $context = \stream_context_create(['socket' => $socket + ['tcp_nodelay' => true], 'ssl' => self::tls($host, $options)]);
        $stream = @\stream_socket_client($address, $code, $text, $timeout > 0 ? $timeout : 60.0, \STREAM_CLIENT_CONNECT, $context);
        if ($stream === false) {
            $failed = (int) $code;
            return $this->fail($failed !== 0 ? $failed : (\str_contains((string) $text, 'getaddrinfo') ? \SWOOLE_ERROR_DNSLOOKUP_RESOLVE_FAILED : 110));
        }
        \stream_set_blocking($stream, false);
        \stream_set_read_buffer($stream, 0);
        $this->stream = $stream;
        return ($type & \SWOOLE_SSL) === 0 || $this->encrypt($timeout);
    }

    /** Binds datagrams to an address, without a peer. */
    public function bind(string $host, int $port): bool
    {
        $stream = @\stream_socket_server('udp://' . (\str_contains($host, ':') ? "[$host]" : $host) . ":$port", $code, $text, \STREAM_SERVER_BIND);
        if ($stream === false) {
            return $this->fail((int) $code);
        }
        \stream_set_blocking($stream, false);
        [$this->stream, $this->isDatagram] = [$stream, true];
        return true;
    }

    /** @param resource $stream */
    public static function over($stream): self
    {
        $self = new self();
        \stream_set_blocking($stream, false);
        $self->stream = $stream;
        return $self;
    }

    public function encrypt(float $timeout): bool
    {
        if ($this->stream === null) {
            return $this->fail(107);
        }
        $this->hasTls = true;
        $deadline = \microtime(true) + ($timeout > 0 ? $timeout : 60.0);
        while (($done = @\stream_socket_enable_crypto($this->stream, true, \STREAM_CRYPTO_METHOD_TLS_CLIENT)) === 0) {
            if (\microtime(true) >= $deadline || !Waiter::forStream($this->stream, false, $deadline - \microtime(true))) {
                return $this->fail(110);
            }
        }
        return $done === true || $this->fail(\SWOOLE_ERROR_SSL_HANDSHAKE_FAILED);
    }

    public function isOpen(): bool
    {
        return $this->stream !== null;
    }

    /** Whether the other side has not closed it, as far as this one knows. */
    public function isAlive(): bool
    {
        if ($this->stream === null) {
            return false;
        }
        $byte = @\stream_socket_recvfrom($this->stream, 1, \STREAM_PEEK);
        return $byte !== '' || !\feof($this->stream);
    }

    public function send(string $data, float $timeout): int|false
    {
        $sent = 0;
        $size = \strlen($data);
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        while ($sent < $size) {
            if ($this->stream === null) {
                return $this->fail(\SWOOLE_ERROR_CLIENT_NO_CONNECTION);
            }
            $written = @\fwrite($this->stream, $sent === 0 ? $data : \substr($data, $sent));
            if ($written === false) {
                return $this->fail(32);
            }
            $sent += $written;
            if ($sent < $size && !$this->wait(true, $deadline)) {
                return $sent > 0 ? $sent : false;
            }
        }
        return $sent;
    }

    /** What has come; '' when the other side has closed; false with errCode when nothing came in time. */
    public function receive(int $most, float $timeout): string|false
    {
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        for (;;) {
            if ($this->stream === null) {
                return $this->fail(\SWOOLE_ERROR_CLIENT_NO_CONNECTION);
            }
            $data = $this->isDatagram ? @\stream_socket_recvfrom($this->stream, 65536) : @\fread($this->stream, \max(1, $most));
            if ($data !== '' && $data !== false) {
                return $data;
            }
            if (!$this->isDatagram && ($data === false || \feof($this->stream))) {
                $this->errCode = 0;
                return '';
            }
            if (!$this->wait(false, $deadline)) {
                return false;
            }
        }
    }

    public function peek(int $most): string|false
    {
        return $this->stream === null || $most < 1 ? false : @\stream_socket_recvfrom($this->stream, $most, \STREAM_PEEK);
    }

    /** Whether a coroutine has waited for it. */
    public function close(): bool
    {
        $waited = false;
        if ($this->stream !== null) {
            $stream = $this->stream;
            $this->stream = $this->socket = null;
            $waited = $this->readiness?->endAll() ?? false;
            @\fclose($stream);
            if ($waited && Waiter::canWait()) {
                // Who waited for it goes on first.
                \Sluice\Coroutine\sleep(0);
            }
        }
        return $waited;
    }

    /** @return array{address: string, port: int, host: string}|false */
    public function name(bool $remote): array|false
    {
        $name = $this->stream === null ? false : \stream_socket_get_name($this->stream, $remote);
        if ($name === false) {
            return false;
        }
        [$host, $port] = Address::split($name);
        return ['address' => $host, 'port' => $port, 'host' => $host];
    }

    /** A socket of the same descriptor; null: there is none, or it has TLS. */
    public function socket(): ?CoroutineSocket
    {
        if ($this->stream === null || $this->hasTls) {
            return null;
        }
        if ($this->socket === null) {
            $socket = \socket_import_stream($this->stream);
            $this->socket = $socket instanceof \Socket ? CoroutineSocket::wrap($socket) : null;
        }
        return $this->socket;
    }

    /** @return resource|null */
    public function stream()
    {
        return $this->stream;
    }

    private function wait(bool $write, float $deadline): bool
    {
        $left = $deadline === \INF ? 1e9 : \max(0.0, $deadline - \microtime(true));
        if ($this->stream === null) {
            return $this->fail(\SWOOLE_ERROR_CLIENT_NO_CONNECTION);
        }
        $this->readiness ??= new Readiness();
        $ready = $this->readiness->wait($this->stream, $write, $left);
        // Another coroutine may have closed it meanwhile.
        if (!$this->isOpen() || $ready === null) {
            return $this->fail(\SOCKET_ECANCELED);
        }
        return $ready || $this->fail(110);
    }

    private function fail(int $code): false
    {
        $this->errCode = $code;
        $this->errMsg = Machine::errorText($code);
        Errors::set($code);
        return false;
    }

    /**
     * @param array<string, mixed> $options
     * @return array<string, mixed>
     */
    public static function tls(string $host, array $options): array
    {
        $verify = Options::bool($options, 'ssl_verify_peer');
        $name = Options::string($options, 'ssl_host_name', $host);
        $tls = [
            'verify_peer' => $verify, 'verify_peer_name' => $verify && isset($options['ssl_host_name']), 'peer_name' => $name, 'SNI_enabled' => true,
            'allow_self_signed' => Options::bool($options, 'ssl_allow_self_signed'), 'capture_peer_cert' => true,
        ];
        foreach (['ssl_cafile' => 'cafile', 'ssl_capath' => 'capath', 'ssl_cert_file' => 'local_cert', 'ssl_key_file' => 'local_pk', 'ssl_passphrase' => 'passphrase', 'alpn_protocols' => 'alpn_protocols'] as $from => $to) {
            if (isset($options[$from])) {
                $tls[$to] = $options[$from];
            }
        }
        return $tls;
    }
}
