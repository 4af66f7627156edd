<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Swoole\Client;

/** What the clients of TCP, UDP and Unix sockets have in common. */
abstract class ClientBase
{
    public int $errCode = 0;
    public string $errMsg = '';
    public int $fd = -1;
    public int $type = \SWOOLE_SOCK_TCP;
    public bool $connected = false;
    /** @var array<string, mixed>|null */
    public ?array $setting = null;
    protected Wire $wire;
    private Packages $packages;

    public function __construct(int $type)
    {
        $kind = $type & 0xff;
        if ($kind < \SWOOLE_SOCK_TCP || $kind > \SWOOLE_SOCK_UNIX_DGRAM) {
            throw new \Error("Unknown client socket type $kind");
        }
        $this->type = $type;
        $this->wire = new Wire();
        $this->packages = new Packages([]);
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): bool
    {
        if ($settings === []) {
            return false;
        }
        Options::check(static::class . '::set', $settings, Options::CLIENT);
        $this->setting = $settings + ($this->setting ?? []);
        $this->packages = new Packages($this->setting);
        return true;
    }

    public function connect(string $host, int $port = 0, float $timeout = 0, int $sock_flag = 0): bool
    {
        if ($host === '') {
            return Errors::warn('The host is empty', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if ($this->wire->isOpen()) {
            [$this->errCode, $this->errMsg] = [106, Machine::errorText(106)];
            // Clients of coroutines only have the code.
            return $this instanceof Client ? Errors::warn('connection to the server has already been established', 106) : Errors::fail(106);
        }
        $this->wire = new Wire();
        $this->connected = $this->wire->connect($this->type, $host, $port, $timeout > 0 ? $timeout : $this->timeout('connect_timeout'), $this->setting ?? []);
        $this->note();
        if ($this->connected && ($stream = $this->wire->stream()) !== null) {
            $this->fd = Streams::number($stream);
        }
        return $this->connected;
    }

    public function sendto(string $address, int $port, string $data): bool
    {
        $this->wire->close();
        $sent = $this->wire->connect($this->type, $address, $port, 5.0) && $this->wire->send($data, 5.0) === \strlen($data);
        $this->note();
        return $sent;
    }

    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool
    {
        $data = FilePart::read($filename, $offset, $length);
        if ($data === false || $data === '') {
            return Errors::warn("file[$filename] is empty or does not exist", $data === '' ? \SWOOLE_ERROR_FILE_EMPTY : \SWOOLE_ERROR_FILE_NOT_EXIST);
        }
        return $this->transmit($data, $this->timeout('write_timeout')) === \strlen($data);
    }

    public function enableSSL(): bool
    {
        return $this->wire->encrypt($this->timeout('connect_timeout'));
    }

    public function getPeerCert(): string|false
    {
        $stream = $this->wire->stream();
        $options = $stream === null ? null : (\stream_context_get_options($stream)['ssl'] ?? null);
        $certificate = \is_array($options) ? ($options['peer_certificate'] ?? null) : null;
        return $certificate instanceof \OpenSSLCertificate && \openssl_x509_export($certificate, $text) && \is_string($text) ? $text : false;
    }

    public function verifyPeerCert(bool $allow_self_signed = false): bool
    {
        return Errors::warn('verifyPeerCert() is not offered: set ssl_verify_peer');
    }

    public function isConnected(): bool
    {
        return $this->connected && $this->wire->isOpen();
    }

    /** @return array{host: string, port: int}|false */
    public function getsockname(): array|false
    {
        $name = $this->wire->name(false);
        return $name === false ? false : ['host' => $name['host'], 'port' => $name['port']];
    }

    /** @return array{host: string, port: int}|false */
    public function getpeername(): array|false
    {
        $name = $this->wire->name(true);
        return $name === false ? false : ['host' => $name['host'], 'port' => $name['port']];
    }

    public function close(): bool
    {
        if (!$this->wire->isOpen()) {
            return Errors::fail($this->errCode = \SWOOLE_ERROR_CLIENT_NO_CONNECTION);
        }
        $this->connected = false;
        $waited = $this->wire->close();
        $this->packages = new Packages($this->setting ?? []);
        return !$waited || $this->stillWaits();
    }

    /** Another coroutine has waited for the connection: it closes it. */
    protected function stillWaits(): bool
    {
        return true;
    }

    public function __destruct()
    {
        $this->wire->close();
    }

    /**
     * @internal
     * @return resource|null
     */
    public function stream()
    {
        return $this->wire->stream();
    }

    protected function transmit(string $data, float $timeout): int|false
    {
        if ($data === '') {
            return Errors::warn('data to send is empty', \SWOOLE_ERROR_NO_PAYLOAD);
        }
        if (!$this->wire->isOpen()) {
            return $this->noConnection();
        }
        $sent = $this->wire->send($data, $timeout);
        $this->note();
        return $sent;
    }

    protected function receive(int $size, float $timeout): string|false
    {
        if (!$this->wire->isOpen()) {
            return $this->noConnection();
        }
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        for (;;) {
            $package = $this->packages->next();
            if ($package === false) {
                $this->close();
                return Errors::fail($this->errCode = \SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE);
            }
            if ($package !== null) {
                return $package;
            }
            $data = $this->wire->receive($size, $deadline === \INF ? -1.0 : \max(0.001, $deadline - \microtime(true)));
            if ($data === false || $data === '' || !$this->packages->isCutting()) {
                $this->note();
                return $data;
            }
            $this->packages->add($data);
        }
    }

    protected function timeout(string $kind): float
    {
        $setting = $this->setting ?? [];
        $options = Coroutines::$options;
        $default = Options::float($options, 'socket_timeout', $kind === 'connect_timeout' ? 2.0 : -1.0);
        return Options::float($setting, $kind, Options::float($setting, 'timeout', Options::float($options, "socket_$kind", $default)));
    }

    private function note(): void
    {
        $this->errCode = $this->wire->errCode;
        $this->errMsg = $this->wire->errMsg;
    }

    private function noConnection(): false
    {
        $this->errCode = \SWOOLE_ERROR_CLIENT_NO_CONNECTION;
        $this->errMsg = Machine::errorText($this->errCode);
        return Errors::fail($this->errCode);
    }
}
