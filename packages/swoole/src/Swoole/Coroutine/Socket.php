<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Internal\Waiter;
use Sluice\Swoole\Coroutines;
use Sluice\Swoole\Errors;
use Sluice\Swoole\FilePart;
use Sluice\Swoole\Machine;
use Sluice\Swoole\Numbers;
use Sluice\Swoole\Options;
use Sluice\Swoole\Packages;
use Sluice\Swoole\Readiness;
use Sluice\Swoole\Sink;
use Sluice\Swoole\SocketTls;
use Sluice\Swoole\Streams;
use Swoole\Coroutine\Socket\Exception;

class Socket implements Sink
{
    public int $fd = -1;
    public int $domain = 0;
    public int $type = 0;
    public int $protocol = 0;
    public int $errCode = 0;
    public string $errMsg = '';
    private ?\Socket $socket = null;
    /** @var resource|null a stream of the same descriptor, to wait with */
    private $stream = null;
    private ?Packages $packages = null;
    /** @var array<string, mixed> of setProtocol(), which sockets that are accepted have, too */
    private array $protocol_settings = [];
    private string $buffer = '';
    private Readiness $readiness;
    private ?SocketTls $tls = null;
    private bool $isAccepted = false;

    public function __construct(int $domain, int $type, int $protocol = 0)
    {
        $socket = @\socket_create($domain, $type & 0xff, $protocol);
        if ($socket === false) {
            $code = \socket_last_error();
            throw new Exception('new Socket() failed. Error: ' . \socket_strerror($code) . " [$code]", $code);
        }
        [$this->domain, $this->type, $this->protocol] = [$domain, $type, $protocol];
        $this->take($socket);
    }

    /** @internal */
    public static function wrap(\Socket $socket): self
    {
        $self = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $self->type = (int) \socket_get_option($socket, \SOL_SOCKET, 3);
        $self->domain = \socket_getsockname($socket, $address) && \is_string($address) && \filter_var($address, \FILTER_VALIDATE_IP) === false ? \AF_UNIX : \AF_INET;
        $self->take($socket);
        return $self;
    }

    public function bind(string $address, int $port = 0): bool
    {
        $this->does(static fn(\Socket $socket): bool => \socket_set_option($socket, \SOL_SOCKET, \SO_REUSEADDR, 1));
        return $this->does(static fn(\Socket $socket): bool => @\socket_bind($socket, $address, $port));
    }

    public function listen(int $backlog = 512): bool
    {
        return $this->does(static fn(\Socket $socket): bool => @\socket_listen($socket, $backlog));
    }

    public function accept(float $timeout = 0): self|false
    {
        $deadline = self::deadline($timeout, 'read');
        while ($this->socket !== null) {
            $socket = @\socket_accept($this->socket);
            if ($socket !== false) {
                $accepted = self::wrap($socket);
                $accepted->isAccepted = true;
                if ($this->protocol_settings !== []) {
                    $accepted->setProtocol($this->protocol_settings);
                }
                return $accepted;
            }
            // PHP has the error on no socket.
            $code = \socket_last_error();
            if ($code !== 11 && $code !== 4) {
                return $this->fail($code);
            }
            if (!$this->wait(false, $deadline)) {
                return false;
            }
        }
        return $this->closed();
    }

    public function connect(string $host, int $port = 0, float $timeout = 0): bool
    {
        if ($this->socket === null) {
            return $this->closed();
        }
        $name = $host;
        $deadline = self::deadline($timeout, 'connect');
        if ($this->domain !== \AF_UNIX && \filter_var($host, \FILTER_VALIDATE_IP) === false) {
            $found = System::gethostbyname($host, $this->domain);
            if ($found === false) {
                return $this->fail(\SWOOLE_ERROR_DNSLOOKUP_RESOLVE_FAILED);
            }
            $host = $found;
        }
        if (@\socket_connect($this->socket, $host, $this->domain === \AF_UNIX ? null : $port)) {
            return $this->greets($name, $deadline);
        }
        $code = \socket_last_error($this->socket);
        if ($code !== 115 && $code !== 11) {
            return $this->fail($code);
        }
        if (!$this->wait(true, $deadline)) {
            return false;
        }
        $code = \socket_get_option($this->socket, \SOL_SOCKET, \SO_ERROR);
        return $code === 0 ? $this->greets($name, $deadline) : $this->fail(\is_int($code) ? $code : 111);
    }

    public function checkLiveness(): bool
    {
        if ($this->socket === null) {
            return $this->closed();
        }
        $got = @\socket_recv($this->socket, $data, 1, \MSG_PEEK | \MSG_DONTWAIT);
        return $got === 0 ? $this->fail(\SWOOLE_ERROR_SESSION_CLOSED_BY_CLIENT) : ($got !== false || $this->mayWait($this->socket));
    }

    public function getBoundCid(int $event): int
    {
        $who = $this->readiness->who($event !== \SWOOLE_EVENT_READ);
        return $who === 0 ? 0 : Numbers::of($who);
    }

    public function peek(int $length = 65536): string|false
    {
        if ($this->socket === null) {
            return $this->closed();
        }
        $got = @\socket_recv($this->socket, $data, $length, \MSG_PEEK | \MSG_DONTWAIT);
        return $got === false ? $this->fail(\socket_last_error($this->socket)) : (\is_string($data) ? $data : '');
    }

    public function recv(int $length = 65536, float $timeout = 0): string|false
    {
        if ($length < 1) {
            $length = 65536;
        }
        return $this->receive($length, self::deadline($timeout, 'read'));
    }

    public function recvAll(int $length = 65536, float $timeout = 0): string|false
    {
        $deadline = self::deadline($timeout, 'read');
        for ($all = ''; \strlen($all) < $length; $all .= $data) {
            $data = $this->receive($length - \strlen($all), $deadline);
            if ($data === false || $data === '') {
                return $all !== '' ? $all : $data;
            }
        }
        return $all;
    }

    public function recvLine(int $length = 65536, float $timeout = 0): string|false
    {
        $deadline = self::deadline($timeout, 'read');
        while (\strcspn($this->buffer, "\r\n") === \strlen($this->buffer) && \strlen($this->buffer) < $length) {
            $data = $this->receive($length, $deadline);
            if ($data === false || $data === '') {
                return $this->buffer !== '' ? $this->takeBuffer(\strlen($this->buffer)) : $data;
            }
            $this->buffer .= $data;
        }
        // A line ends with either of both, as socket_read() has it with PHP_NORMAL_READ.
        return $this->takeBuffer(\min($length, \strcspn($this->buffer, "\r\n") + 1));
    }

    public function recvWithBuffer(int $length = 65536, float $timeout = 0): string|false
    {
        if ($this->buffer !== '') {
            return $this->takeBuffer(\min($length, \strlen($this->buffer)));
        }
        $data = $this->receive(65536, self::deadline($timeout, 'read'));
        if ($data === false || $data === '') {
            return $data;
        }
        $this->buffer = $data;
        return $this->takeBuffer(\min($length, \strlen($data)));
    }

    public function recvPacket(float $timeout = 0): string|false
    {
        $packages = $this->packages;
        $deadline = self::deadline($timeout, 'read');
        if ($packages === null || !$packages->isCutting()) {
            return $this->receive(65536, $deadline);
        }
        for (;;) {
            $package = $packages->next();
            if ($package === false) {
                return $this->fail(\SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE);
            }
            if ($package !== null) {
                return $package;
            }
            $data = $this->receive(65536, $deadline);
            if ($data === false || $data === '') {
                return $data;
            }
            $packages->add($data);
        }
    }

    public function send(?string $data, float $timeout = 0): int|false
    {
        return $this->transmit((string) $data, self::deadline($timeout, 'write'), false);
    }

    public function sendAll(string $data, float $timeout = 0): int|false
    {
        return $this->transmit($data, self::deadline($timeout, 'write'), true);
    }

    /**
     * @param list<int> $io_vector lengths
     * @return list<string>|false
     */
    public function readVector(array $io_vector, float $timeout = 0): false|array
    {
        return $this->takesVector($io_vector, true) ? $this->cut($this->recv((int) \array_sum($io_vector), $timeout), $io_vector) : false;
    }

    /**
     * @param list<int> $io_vector lengths
     * @return list<string>|false
     */
    public function readVectorAll(array $io_vector, float $timeout = 0): false|array
    {
        return $this->takesVector($io_vector, true) ? $this->cut($this->recvAll((int) \array_sum($io_vector), $timeout), $io_vector) : false;
    }

    /** @param list<string> $io_vector */
    public function writeVector(array $io_vector, float $timeout = 0): false|int
    {
        return $this->takesVector($io_vector, false) ? $this->send(\implode('', $io_vector), $timeout) : false;
    }

    /** @param list<string> $io_vector */
    public function writeVectorAll(array $io_vector, float $timeout = 0): false|int
    {
        return $this->takesVector($io_vector, false) ? $this->sendAll(\implode('', $io_vector), $timeout) : false;
    }

    /** @param array<mixed> $vector of lengths to read, or of strings to write */
    private function takesVector(array $vector, bool $reads): bool
    {
        if (\count($vector) > \SWOOLE_IOV_MAX) {
            $this->fail(\SOCKET_EINVAL);
            $this->errMsg = 'The maximum of iov count is ' . \SWOOLE_IOV_MAX;
            return false;
        }
        foreach (\array_values($vector) as $number => $item) {
            if ($reads ? !\is_int($item) : !\is_string($item)) {
                throw new Exception("Item #[$number] must be of type " . ($reads ? 'int' : 'string') . ', ' . \get_debug_type($item) . ' given');
            }
            if ($reads && $item < 1) {
                throw new Exception("Item #[$number] must be greater than 0");
            }
        }
        return true;
    }

    public function sendFile(string $file, int $offset = 0, int $length = 0): bool
    {
        $data = FilePart::read($file, $offset, $length);
        return $data === false ? Errors::warn("file[$file] doesn't exist", \SWOOLE_ERROR_FILE_NOT_EXIST) : $this->sendAll($data) === \strlen($data);
    }

    public function recvfrom(mixed &$peername, float $timeout = 0): string|false
    {
        $deadline = self::deadline($timeout, 'read');
        while ($this->socket !== null) {
            $got = @\socket_recvfrom($this->socket, $data, 65536, \MSG_DONTWAIT, $address, $port);
            if ($got !== false) {
                $peername = self::name($address, $this->domain === \AF_UNIX ? 0 : $port);
                return \is_string($data) ? $data : '';
            }
            if (!$this->mayWait($this->socket) || !$this->wait(false, $deadline)) {
                return false;
            }
        }
        return $this->closed();
    }

    public function sendto(string $addr, int $port, string $data): int|false
    {
        if ($this->socket === null) {
            return $this->closed();
        }
        $sent = @\socket_sendto($this->socket, $data, \strlen($data), 0, $addr, $port);
        return $sent === false ? $this->fail(\socket_last_error($this->socket)) : $sent;
    }

    public function getOption(int $level, int $opt_name): mixed
    {
        return $this->socket === null ? $this->closed() : \socket_get_option($this->socket, $level, $opt_name);
    }

    public function setOption(int $level, int $opt_name, mixed $opt_value): bool
    {
        if (!\is_array($opt_value) && !\is_int($opt_value) && !\is_string($opt_value)) {
            $opt_value = \is_scalar($opt_value) ? (int) $opt_value : 0;
        }
        try {
            $set = $this->does(static fn(\Socket $socket): bool => @\socket_set_option($socket, $level, $opt_name, $opt_value));
        } catch (\ValueError $error) {
            return Errors::warn(\preg_replace('/^.*must have key "(\w+)"$/', 'no key "$1" passed in optval', $error->getMessage()) ?? '', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        return $set || Errors::warn("setsockopt($opt_name) failed, Error: $this->errMsg[$this->errCode]", $this->errCode);
    }

    /** @param array<string, mixed> $settings */
    public function setProtocol(array $settings): bool
    {
        Options::check('Swoole\Coroutine\Socket::setProtocol', $settings, Options::CLIENT);
        $this->protocol_settings = $settings;
        $this->packages = new Packages($settings);
        return true;
    }

    public function sslHandshake(): bool
    {
        return $this->encrypt($this->isAccepted, $this->protocol_settings, '', self::deadline(0, 'connect'));
    }

    /** With the option `open_ssl` a client begins TLS as soon as it is connected. */
    private function greets(string $host, float $deadline): bool
    {
        return !Options::bool($this->protocol_settings, 'open_ssl') || $this->encrypt(false, $this->protocol_settings, $host, $deadline);
    }

    /** @param array<string, mixed> $settings */
    private function encrypt(bool $asServer, array $settings, string $host, float $deadline): bool
    {
        if ($this->stream === null) {
            return $this->closed();
        }
        if ($asServer && (!isset($settings['ssl_cert_file']) || !isset($settings['ssl_key_file']))) {
            return Errors::warn('SSL error, require ssl_cert_file and ssl_key_file', $this->errCode = \SOCKET_EINVAL);
        }
        $tls = new SocketTls($this->stream, $asServer, $settings, $host);
        while (($done = $tls->handshake()) === null) {
            if (!$this->wait(false, $deadline)) {
                return false;
            }
        }
        if (!$done) {
            return $this->fail(\SWOOLE_ERROR_SSL_HANDSHAKE_FAILED);
        }
        $this->tls = $tls;
        return true;
    }

    public function shutdown(int $how = 2): bool
    {
        return $this->does(static fn(\Socket $socket): bool => @\socket_shutdown($socket, $how));
    }

    public function close(): bool
    {
        if ($this->socket === null) {
            return $this->closed();
        }
        $socket = $this->socket;
        $hasTls = $this->tls !== null;
        $this->socket = $this->stream = $this->tls = null;
        // Who waits for the socket goes on with an error. TLS says its own farewell.
        if (!$hasTls && !\in_array($this->type, [\SOCK_DGRAM, \SOCK_RAW], true)) {
            @\socket_shutdown($socket, 2);
        }
        $waited = $this->readiness->endAll();
        \socket_close($socket);
        if ($waited && Waiter::canWait()) {
            // Who waited for it goes on first.
            \Sluice\Coroutine\sleep(0);
        }
        return true;
    }

    public function cancel(int $event = \SWOOLE_EVENT_READ): bool
    {
        return $this->readiness->end($event !== \SWOOLE_EVENT_READ) || $this->fail(\SWOOLE_ERROR_CO_CANNOT_CANCEL);
    }

    /** @return array{address: string, port?: int}|false */
    public function getsockname(): false|array
    {
        return $this->socket !== null && @\socket_getsockname($this->socket, $address, $port) ? self::name($address, $port) : $this->closed();
    }

    /** @return array{address: string, port?: int}|false */
    public function getpeername(): false|array
    {
        return $this->socket !== null && @\socket_getpeername($this->socket, $address, $port) ? self::name($address, $port) : $this->fail($this->socket === null ? 9 : 107);
    }

    public function isClosed(): bool
    {
        return $this->socket === null;
    }

    /** @param resource $stream */
    public static function import($stream): self|false
    {
        if (!\is_resource($stream)) {
            throw new \TypeError('Swoole\Coroutine\Socket::import(): ' . (\get_debug_type($stream) === 'resource (closed)'
                ? 'supplied resource is not a valid stream resource' : 'Argument #1 ($stream) must be of type resource, ' . \get_debug_type($stream) . ' given'));
        }
        $socket = @\socket_import_stream($stream);
        return $socket instanceof \Socket ? self::wrap($socket)
            : Errors::warn('Cannot represent a stream of type ' . \stream_get_meta_data($stream)['stream_type'] . ' as a Socket Descriptor');
    }

    /** @return resource|null */
    public function stream()
    {
        return $this->stream;
    }

    private function take(\Socket $socket): void
    {
        $this->socket = $socket;
        $this->readiness = new Readiness();
        \socket_set_nonblock($socket);
        $this->stream = \socket_export_stream($socket) ?: null;
        if ($this->stream !== null) {
            $this->fd = Streams::number($this->stream);
            Streams::release($this->fd);
        }
    }

    private function receive(int $length, float $deadline): string|false
    {
        while ($this->socket !== null) {
            $got = $this->tls === null ? $this->receiveOnce($this->socket, $length) : $this->tls->read($length);
            if (\is_string($got)) {
                $this->errCode = 0;
                return $got;
            }
            if ($got === false || !$this->wait(false, $deadline)) {
                return false;
            }
        }
        return $this->closed();
    }

    /** Null: nothing has come. */
    private function receiveOnce(\Socket $socket, int $length): string|false|null
    {
        if (@\socket_recv($socket, $data, $length, \MSG_DONTWAIT) !== false) {
            return \is_string($data) ? $data : '';
        }
        return $this->mayWait($socket) ? null : false;
    }

    private function transmit(string $data, float $deadline, bool $all): int|false
    {
        $rest = $data;
        for ($sent = 0; $this->socket !== null;) {
            $got = $this->tls === null ? $this->sendOnce($this->socket, $rest) : ($this->tls->write($rest) ?? 0);
            if ($got === false) {
                return $sent ?: false;
            }
            $sent += $got;
            if ($sent >= \strlen($data) || ($got > 0 && !$all)) {
                return $sent;
            }
            if ($got > 0) {
                $rest = \substr($data, $sent);
            }
            if (!$this->wait(true, $deadline)) {
                return $sent ?: false;
            }
        }
        return $this->closed();
    }

    /** 0: there is no room. */
    private function sendOnce(\Socket $socket, string $data): int|false
    {
        $sent = @\socket_send($socket, $data, \strlen($data), \MSG_DONTWAIT | 0x4000);
        return $sent !== false ? $sent : ($this->mayWait($socket) ? 0 : false);
    }

    private function wait(bool $write, float $deadline): bool
    {
        $left = $deadline === \INF ? 1e9 : $deadline - \microtime(true);
        if ($this->stream === null || $left <= 0) {
            return $this->stream === null ? $this->closed() : $this->fail(110);
        }
        $bound = $this->readiness->who($write);
        $id = \Sluice\Coroutine\id();
        if ($bound !== 0 && $id !== 0) {
            [$bound, $id] = [Numbers::of($bound), Numbers::of($id)];
            $kind = $write ? 'writing' : 'reading';
            Errors::fatal("Socket#$this->fd has already been bound to another coroutine#$bound, $kind of the same socket in coroutine#$id at the same time is not allowed");
        }
        $ready = $this->readiness->wait($this->stream, $write, $left);
        if ($this->stream === null || $ready === null) {
            return $this->fail(\SOCKET_ECANCELED);
        }
        return $ready || $this->fail(110);
    }

    private function mayWait(\Socket $socket): bool
    {
        $code = \socket_last_error($socket);
        \socket_clear_error($socket);
        return $code === 11 || $code === 4 || $this->fail($code);
    }

    /** @param callable(\Socket): bool $change */
    private function does(callable $change): bool
    {
        if ($this->socket === null) {
            return $this->closed();
        }
        return $change($this->socket) || $this->fail(\socket_last_error($this->socket));
    }

    private function takeBuffer(int $length): string
    {
        $taken = \substr($this->buffer, 0, $length);
        $this->buffer = \substr($this->buffer, $length);
        return $taken;
    }

    /**
     * @param list<int> $lengths
     * @return list<string>|false
     */
    private function cut(string|false $data, array $lengths): array|false
    {
        if ($data === false) {
            return false;
        }
        $parts = [];
        foreach ($lengths as $length) {
            if ($data === '') {
                break;
            }
            $parts[] = \substr($data, 0, $length);
            $data = \substr($data, $length);
        }
        return $parts;
    }

    /** @return array{address: string, port?: int} */
    private static function name(mixed $address, mixed $port): array
    {
        return ['address' => \is_string($address) ? $address : ''] + (\is_int($port) ? ['port' => $port] : []);
    }

    private static function deadline(float $timeout, string $kind): float
    {
        if ($timeout === 0.0) {
            $timeout = Options::float(Coroutines::$options, "socket_{$kind}_timeout", Options::float(Coroutines::$options, 'socket_timeout', $kind === 'connect' ? 2.0 : 60.0));
        }
        return $timeout > 0 ? \microtime(true) + $timeout : \INF;
    }

    private function closed(): false
    {
        return $this->fail(9);
    }

    private function fail(int $code): false
    {
        $this->errCode = $code;
        $this->errMsg = Machine::errorText($code);
        return Errors::fail($code);
    }
}
