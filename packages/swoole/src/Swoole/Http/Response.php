<?php

declare(strict_types=1);

namespace Swoole\Http;

use Sluice\Http\Request as SluiceRequest;
use Sluice\Http\Response as SluiceResponse;
use Sluice\Swoole\Answer;
use Sluice\Swoole\Callback;
use Sluice\Swoole\Errors;
use Sluice\Swoole\EngineAnswer;
use Sluice\Swoole\RemoteAnswer;
use Sluice\Swoole\RequestParser;
use Sluice\Swoole\Running;
use Sluice\Swoole\ServerSink;
use Sluice\Swoole\Sink;
use Sluice\Swoole\SocketAnswer;
use Swoole\WebSocket\Frame;

class Response
{
    public int $fd = 0;
    public int $socket = 0;
    /** @var array<string, string|list<string>>|null */
    public ?array $header = null;
    /** @var array<string, string>|null */
    public ?array $cookie = null;
    /** @var array<string, string>|null */
    public ?array $trailer = null;
    private ?Answer $answer = null;
    private static int $last = 0;
    /** The low bits of `$fd` are the worker's number. */
    private const WORKER_BITS = 10;
    /** @var array<int, Answer> */
    private static array $detached = [];

    /** @internal */
    public static function over(SluiceResponse $response, SluiceRequest $request, int $longest = 0): self
    {
        return self::with(new EngineAnswer($response, $request, $longest), ++self::$last << self::WORKER_BITS | Running::worker());
    }

    /** @internal */
    public static function with(Answer $answer, int $fd): self
    {
        $self = new self();
        $self->answer = $answer;
        $self->fd = $fd;
        return $self;
    }

    public function initHeader(): bool
    {
        return $this->isWritable();
    }

    public function isWritable(): bool
    {
        return $this->answer !== null && !$this->answer->isEnded();
    }

    public function status(int $http_code, string $reason = ''): bool
    {
        return $this->open()?->status($http_code, $reason) ?? false;
    }

    public function setStatusCode(int $http_code, string $reason = ''): bool
    {
        return $this->status($http_code, $reason);
    }

    /** @param mixed $value a scalar, or a list of scalars; without null, and without the white space around */
    public function header(string $key, mixed $value, bool $format = true): bool
    {
        $answer = $this->open();
        if ($answer === null) {
            return false;
        }
        if ($key === '') {
            return false;
        }
        $written = $format ? \ucwords(\strtolower($key), '-') : $key;
        if (\is_string($value)) {
            $value = \trim($value);
            $this->header[$written] = $value;
            return $answer->header($key, [$value]);
        }
        $values = [];
        foreach (\is_array($value) ? $value : [$value] as $one) {
            if (\is_scalar($one) || $one instanceof \Stringable) {
                $values[] = \trim((string) $one);
            }
        }
        $this->header[$written] = \is_array($value) ? $values : ($values[0] ?? '');
        return $answer->header($key, $values);
    }

    public function setHeader(string $key, mixed $value, bool $format = true): bool
    {
        return $this->header($key, $value, $format);
    }

    public function trailer(string $key, string $value): bool
    {
        $this->trailer[$key] = $value;
        return $this->open()?->trailer($key, $value) ?? false;
    }

    public function cookie(Cookie|string $name_or_object, ?string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool
    {
        return $this->putCookie($name_or_object instanceof Cookie ? $name_or_object : Cookie::from(\func_get_args()), true);
    }

    public function rawcookie(Cookie|string $name_or_object, ?string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool
    {
        return $this->putCookie($name_or_object instanceof Cookie ? $name_or_object : Cookie::from(\func_get_args()), false);
    }

    public function setCookie(Cookie|string $name_or_object, ?string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool
    {
        return $this->putCookie($name_or_object instanceof Cookie ? $name_or_object : Cookie::from(\func_get_args()), true);
    }

    public function setRawCookie(Cookie|string $name_or_object, ?string $value = '', int $expires = 0, string $path = '/', string $domain = '', bool $secure = false, bool $httponly = false, string $samesite = '', string $priority = '', bool $partitioned = false): bool
    {
        return $this->putCookie($name_or_object instanceof Cookie ? $name_or_object : Cookie::from(\func_get_args()), false);
    }

    public function write(string $content): bool
    {
        if ($content === '') {
            return Errors::warn('data to send is empty', \SWOOLE_ERROR_NO_PAYLOAD);
        }
        return $this->open()?->write($content) ?? false;
    }

    public function end(?string $content = null): bool
    {
        return $this->open()?->end($content ?? '') ?? false;
    }

    public function sendfile(string $filename, int $offset = 0, int $length = 0): bool
    {
        $answer = $this->open();
        if ($answer === null) {
            return false;
        }
        if (!\is_file($filename)) {
            return Errors::warn("file[$filename] doesn't exist", \SWOOLE_ERROR_FILE_NOT_EXIST);
        }
        if ($offset < 0 || $length < 0) {
            return Errors::warn("the offset $offset and the length $length must not be negative", \SWOOLE_ERROR_INVALID_PARAMS);
        }
        if ($offset + $length > (int) \filesize($filename)) {
            return Errors::warn('parameter $length[' . $length . '] exceeds the file size', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        return $answer->sendFile($filename, $offset, $length);
    }

    public function redirect(string $location, int $http_code = 302): bool
    {
        return $this->status($http_code) && $this->header('Location', $location) && $this->end();
    }

    public function detach(): bool
    {
        if ($this->answer === null || $this->answer->isEnded()) {
            return false;
        }
        self::$detached[$this->fd] = $this->answer;
        $this->answer = null;
        // Any process of the server may end it.
        Running::current()?->inbox->open(Running::worker());
        return true;
    }

    /** @param object|array<mixed>|int $server */
    public static function create(object|array|int $server = -1, int $fd = -1): self|false
    {
        [$first, $request] = \is_array($server) ? \array_values($server) + [null, null] : [$server, null];
        if ($first instanceof Sink || $first instanceof \Swoole\Server && ($fd <= 0 || $first->exists($fd) && !isset(self::$detached[$fd]))) {
            return self::onSocket($first, $request instanceof Request ? $request : null, $fd);
        }
        $fd = \is_int($server) ? $server : $fd;
        $answer = self::$detached[$fd] ?? null;
        if ($answer !== null) {
            unset(self::$detached[$fd]);
            return self::with($answer, $fd);
        }
        $inbox = Running::current()?->inbox;
        $worker = $fd & (1 << self::WORKER_BITS) - 1;
        if ($inbox === null || $fd <= 0 || $worker === Running::worker() || $inbox->ask($worker, [$fd, 'exists', []]) !== true) {
            return false;
        }
        return self::with(new RemoteAnswer($inbox, $worker, $fd), $fd);
    }

    /** The answer to a request that the program has read itself. */
    private static function onSocket(Sink|\Swoole\Server $socket, ?Request $request, int $fd): self
    {
        if ($request !== null) {
            $request->fd = $fd;
        }
        $sink = $socket instanceof Sink ? $socket : new ServerSink($socket, $fd);
        return self::with(new SocketAnswer($sink, $request?->parser() ?? new RequestParser(), null, '', 2 << 20), $fd);
    }

    /**
     * What another process asks of a response that was detached here.
     *
     * @internal
     * @param array<mixed> $arguments
     */
    public static function answerTo(int $fd, string $method, array $arguments): bool
    {
        $answer = self::$detached[$fd] ?? null;
        if ($answer === null || $method === 'exists') {
            return $answer !== null;
        }
        $call = [$answer, $method];
        if ($answer->isEnded() || !\in_array($method, RemoteAnswer::METHODS, true) || !\is_callable($call)) {
            return false;
        }
        $done = (bool) Callback::call($call, $arguments);
        if (\in_array($method, ['end', 'sendFile', 'close'], true)) {
            unset(self::$detached[$fd]);
        }
        return $done;
    }

    public function upgrade(): bool
    {
        return $this->open()?->upgrade() ?? false;
    }

    public function push(Frame|string $data, int $opcode = \SWOOLE_WEBSOCKET_OPCODE_TEXT, int $flags = \SWOOLE_WEBSOCKET_FLAG_FIN): bool
    {
        $frame = $data instanceof Frame ? $data : Frame::of($data, $opcode, $flags);
        return $this->answer?->push($frame) ?? false;
    }

    public function recv(float $timeout = 0): Frame|false|string
    {
        return $this->answer?->receive($timeout) ?? false;
    }

    public function close(): bool
    {
        return $this->answer?->close() ?? false;
    }

    public function disconnect(int $code = \SWOOLE_WEBSOCKET_CLOSE_NORMAL, string $reason = ''): bool
    {
        return $this->answer?->disconnect($code, $reason) ?? false;
    }

    public function ping(string $data = ''): bool
    {
        return $this->push($data, \SWOOLE_WEBSOCKET_OPCODE_PING);
    }

    public function goaway(int $error_code = \SWOOLE_HTTP2_ERROR_NO_ERROR, string $debug_data = ''): bool
    {
        return Errors::warn('this method is not offered: the server ends connections of HTTP/2 itself');
    }

    public function __destruct()
    {
        if ($this->answer !== null && !$this->answer->isEnded()) {
            $this->answer->abandon();
        }
    }

    private function putCookie(Cookie $cookie, bool $encode): bool
    {
        $text = $cookie->field($encode);
        if ($text === null) {
            return false;
        }
        $this->cookie[$cookie->name()] = $text;
        return $this->open()?->cookie($text) ?? false;
    }

    private function open(): ?Answer
    {
        if ($this->answer === null || $this->answer->isEnded()) {
            Errors::warn('http response is unavailable (maybe it has been ended or detached)', \SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE);
            return null;
        }
        return $this->answer;
    }
}
