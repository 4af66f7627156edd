<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Delivery;
use Sluice\Http\Request;
use Sluice\Http\Response;
use Sluice\ServerException;
use Swoole\WebSocket\Frame;

/** The answer to a request that the engine's server has received. */
final class EngineAnswer implements Answer
{
    private bool $ended = false;
    private bool $hasType = false;
    private bool $begun = false;
    /** For a response to HEAD, which has no body to be counted. */
    private string $length = '';

    /** @param int $longest bytes of the longest body that end() takes; 0: any */
    public function __construct(private readonly Response $response, private readonly Request $request, private readonly int $longest = 0) {}

    public function isEnded(): bool
    {
        return $this->ended;
    }

    public function status(int $status, string $reason): bool
    {
        if ($status < 200 || $status > 599) {
            return false;
        }
        return $this->does(fn(): mixed => $this->response->status($status));
    }

    public function header(string $name, array $values): bool
    {
        switch (\strtolower($name)) {
            case 'content-type':
                $this->hasType = true;
                break;
            case 'content-length':
                $this->length = $values[0] ?? '';
                return true;
            case 'connection':
            case 'transfer-encoding':
            case 'date':
                // The server writes them.
                return true;
            case 'content-encoding':
                if (($values[0] ?? '') === '') {
                    return $this->does(fn(): mixed => $this->response->withoutCompression());
                }
        }
        // Most requests come here: without a closure.
        try {
            foreach ($values as $number => $value) {
                $number === 0 ? $this->response->header($name, $value) : $this->response->addHeader($name, $value);
            }
            return true;
        } catch (\ValueError | ServerException $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE);
        }
    }

    public function cookie(string $field): bool
    {
        return $this->does(fn(): mixed => $this->response->addHeader('Set-Cookie', $field));
    }

    public function trailer(string $name, string $value): bool
    {
        return $this->does(fn(): mixed => $this->response->trailer($name, $value));
    }

    public function write(string $data): bool
    {
        $this->begin();
        return $this->sent(fn(): Delivery => $this->response->write($data));
    }

    public function end(string $data): bool
    {
        if ($this->longest > 0 && \strlen($data) > $this->longest) {
            return Errors::warn(
                'the body has ' . \strlen($data) . " bytes, and output_buffer_size is $this->longest: send parts by write(), or a file by sendfile(), or raise the option",
                \SWOOLE_ERROR_DATA_LENGTH_TOO_LARGE,
            );
        }
        $this->ended = true;
        // Each request comes here: without a closure.
        try {
            if (!$this->begun && !$this->hasType) {
                $this->response->header('Content-Type', 'text/html');
            }
            if ($data === '' && $this->length !== '' && !$this->begun && $this->request->method() === 'HEAD') {
                $this->response->header('Content-Length', $this->length);
            }
            $delivery = $this->response->end($data);
        } catch (ServerException $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE);
        }
        return $delivery === Delivery::Sent || $delivery === Delivery::Queued || self::failed($delivery);
    }

    public function sendFile(string $path, int $offset, int $length): bool
    {
        $this->ended = true;
        if ($offset === 0 && $length === 0) {
            return $this->sent(fn(): Delivery => $this->response->sendFile($path));
        }
        $data = (string) FilePart::read($path, $offset, $length);
        if (!$this->hasType) {
            $this->response->header('Content-Type', MimeTypes::of($path));
        }
        return $this->sent(fn(): Delivery => $this->response->end($data));
    }

    public function upgrade(): bool
    {
        return Errors::warn('upgrade() is for Swoole\Coroutine\Http\Server: use Swoole\WebSocket\Server');
    }

    public function push(Frame $frame): bool
    {
        return $this->upgrade();
    }

    public function receive(float $timeout): false
    {
        return $this->upgrade() ? false : false;
    }

    public function close(): bool
    {
        return $this->isEnded() || $this->end('');
    }

    public function disconnect(int $code, string $reason): bool
    {
        return $this->close();
    }

    public function abandon(): void
    {
        // The engine ends the response with the object.
        $this->ended = true;
    }

    private function begin(): void
    {
        if ($this->begun) {
            return;
        }
        $this->begun = true;
        $this->typed();
    }

    private function typed(): void
    {
        if (!$this->hasType) {
            $this->hasType = true;
            $this->does(fn(): mixed => $this->response->header('Content-Type', 'text/html'));
        }
    }

    /** @param callable(): mixed $change */
    private function does(callable $change): bool
    {
        try {
            $change();
            return true;
        } catch (\ValueError | ServerException $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE);
        }
    }

    /** @param callable(): Delivery $send */
    private function sent(callable $send): bool
    {
        try {
            $delivery = $send();
        } catch (ServerException $error) {
            return Errors::warn($error->getMessage(), \SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE);
        }
        return $delivery === Delivery::Sent || $delivery === Delivery::Queued || self::failed($delivery);
    }

    private static function failed(Delivery $delivery): false
    {
        return Errors::fail($delivery === Delivery::Closed ? \SWOOLE_ERROR_SESSION_CLOSED : \SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW);
    }
}
