<?php

declare(strict_types=1);

namespace Sluice\Swoole\Http2;

use Sluice\Swoole\Wire;
use Swoole\Http2\Request;
use Swoole\Http2\Response;

/** The client's side of a connection of HTTP/2 (RFC 9113). Any coroutine may send; one receives. */
final class Session
{
    private const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private const WINDOW = 65535;
    /** What the client takes of all streams, and of each one, before it says more. */
    private const OWN_WINDOW = 16 << 20;
    private const LONGEST_FRAME = 16384;

    public int $lastStream = 0;
    public int $serverLastStream = 0;
    /** Of GOAWAY; null: none has come. */
    public ?int $goAway = null;
    /** @var array<int, Stream> */
    public array $streams = [];
    /** @var array{header_table_size: int, max_concurrent_streams: int, window: int, max_frame_size: int, max_header_list_size: int} */
    public array $remote = ['header_table_size' => 4096, 'max_concurrent_streams' => 0xffffffff, 'window' => self::WINDOW, 'max_frame_size' => self::LONGEST_FRAME, 'max_header_list_size' => 0xffffffff];
    private int $window = self::WINDOW;
    private int $taken = 0;
    private string $data = '';
    private readonly Fields $fields;
    private string $block = '';
    private int $blockStream = 0;
    private bool $blockEnds = false;

    public function __construct(private readonly Wire $wire, private readonly float $timeout)
    {
        $this->fields = new Fields();
    }

    public function begin(): bool
    {
        // ENABLE_PUSH off, INITIAL_WINDOW_SIZE.
        $settings = Frame::write(Frame::SETTINGS, 0, 0, \pack('nNnN', 2, 0, 4, self::OWN_WINDOW));
        $window = Frame::write(Frame::WINDOW_UPDATE, 0, 0, \pack('N', self::OWN_WINDOW - self::WINDOW));
        return $this->put(self::PREFACE . $settings . $window);
    }

    /** @param list<array{string, string}> $fields */
    public function send(Request $request, array $fields, string $body): int|false
    {
        $number = $this->lastStream + ($this->lastStream === 0 ? 1 : 2);
        $this->lastStream = $number;
        $stream = $this->streams[$number] = new Stream($number, $request->usePipelineRead, $this->remote['window']);
        $ends = $body === '' && !$request->pipeline;
        $frames = $this->headers($number, Fields::encode($fields), $ends);
        $stream->ended = $ends;
        if (!$this->put($frames)) {
            return false;
        }
        if ($body !== '' && !$this->write($number, $body, !$request->pipeline)) {
            return false;
        }
        return $number;
    }

    public function write(int $number, string $data, bool $end): bool
    {
        $stream = $this->streams[$number] ?? null;
        if ($stream === null || $stream->ended) {
            return false;
        }
        $stream->unsent .= $data;
        $stream->endsAfterUnsent = $end;
        return $this->flush($stream);
    }

    public function ping(): bool
    {
        return $this->put(Frame::write(Frame::PING, 0, 0, \random_bytes(8)));
    }

    public function goAway(int $error, string $debug): bool
    {
        return $this->put(Frame::write(Frame::GOAWAY, 0, 0, \pack('NN', $this->serverLastStream, $error) . $debug));
    }

    /** The next response that is whole or, with `$parts`, the next part of one. False: the time is over, or the connection is. */
    public function receive(float $timeout, bool $parts): Response|false
    {
        $deadline = $timeout > 0 ? \microtime(true) + $timeout : \INF;
        for (;;) {
            while (($frame = Frame::take($this->data)) !== null) {
                $response = $this->take($frame, $parts);
                if ($response !== null) {
                    return $response;
                }
            }
            $left = $deadline === \INF ? -1.0 : $deadline - \microtime(true);
            if ($deadline !== \INF && $left <= 0) {
                $this->wire->errCode = \SOCKET_ETIMEDOUT;
                return false;
            }
            $data = $this->wire->receive(65536, $left);
            if ($data === false || $data === '') {
                return false;
            }
            $this->data .= $data;
        }
    }

    /** Null: go on. False: the connection is over. */
    private function take(Frame $frame, bool $parts): Response|false|null
    {
        switch ($frame->type) {
            case Frame::SETTINGS:
                return $frame->has(Frame::ACK) ? null : $this->takeSettings($frame);
            case Frame::PING:
                return $frame->has(Frame::ACK) || $this->put(Frame::write(Frame::PING, Frame::ACK, 0, $frame->payload)) ? null : false;
            case Frame::WINDOW_UPDATE:
                return $this->takeWindow($frame);
            case Frame::GOAWAY:
                $this->serverLastStream = $frame->word(0) & 0x7fffffff;
                $this->goAway = $frame->word(4);
                // Streams that the server has begun to handle still end.
                return $this->unfinished() ? null : false;
            case Frame::HEADERS:
            case Frame::CONTINUATION:
                return $this->takeHeaders($frame, $parts);
            case Frame::DATA:
                return $this->takeData($frame, $parts);
            case Frame::RST_STREAM:
                $stream = $this->streams[$frame->stream] ?? null;
                if ($stream === null) {
                    return null;
                }
                $stream->response->errCode = $frame->word(0);
                $stream->response->statusCode = -3;
                return $this->finish($stream);
            default:
                return null;
        }
    }

    private function takeSettings(Frame $frame): ?false
    {
        for ($at = 0; $at + 6 <= \strlen($frame->payload); $at += 6) {
            $kind = \ord($frame->payload[$at]) << 8 | \ord($frame->payload[$at + 1]);
            $value = $frame->word($at + 2);
            switch ($kind) {
                case 1:
                    $this->remote['header_table_size'] = $value;
                    break;
                case 3:
                    $this->remote['max_concurrent_streams'] = $value;
                    break;
                case 4:
                    foreach ($this->streams as $stream) {
                        $stream->window += $value - $this->remote['window'];
                    }
                    $this->remote['window'] = $value;
                    break;
                case 5:
                    $this->remote['max_frame_size'] = \max(self::LONGEST_FRAME, $value);
                    break;
                case 6:
                    $this->remote['max_header_list_size'] = $value;
                    break;
            }
        }
        return $this->put(Frame::write(Frame::SETTINGS, Frame::ACK, 0, '')) && $this->flushAll() ? null : false;
    }

    private function takeWindow(Frame $frame): ?false
    {
        $more = $frame->word(0) & 0x7fffffff;
        if ($frame->stream === 0) {
            $this->window += $more;
        } elseif (isset($this->streams[$frame->stream])) {
            $this->streams[$frame->stream]->window += $more;
        }
        return $this->flushAll() ? null : false;
    }

    private function takeHeaders(Frame $frame, bool $parts): Response|false|null
    {
        $content = $frame->content();
        if ($content === null) {
            return false;
        }
        if ($frame->type === Frame::HEADERS) {
            $this->block = '';
            $this->blockStream = $frame->stream;
            $this->blockEnds = $frame->has(Frame::END_STREAM);
        }
        $this->block .= $content;
        if (!$frame->has(Frame::END_HEADERS)) {
            return null;
        }
        $fields = $this->fields->decode($this->block);
        if ($fields === null) {
            return false;
        }
        $stream = $this->streams[$this->blockStream] ?? null;
        if ($stream === null) {
            return null;
        }
        $stream->receiveFields($fields);
        return $this->blockEnds ? $this->finish($stream) : null;
    }

    private function takeData(Frame $frame, bool $parts): Response|false|null
    {
        $content = $frame->content();
        if ($content === null || !$this->allowMore($frame)) {
            return false;
        }
        $stream = $this->streams[$frame->stream] ?? null;
        if ($stream === null) {
            return null;
        }
        $stream->response->data .= $content;
        if ($frame->has(Frame::END_STREAM)) {
            return $this->finish($stream);
        }
        return ($parts || $stream->readsParts) && $content !== '' ? $stream->takePart(false) : null;
    }

    private function allowMore(Frame $frame): bool
    {
        $size = \strlen($frame->payload);
        $this->taken += $size;
        $more = '';
        if ($this->taken >= self::OWN_WINDOW / 2) {
            $more = Frame::write(Frame::WINDOW_UPDATE, 0, 0, \pack('N', $this->taken));
            $this->taken = 0;
        }
        if ($size > 0 && !$frame->has(Frame::END_STREAM)) {
            $more .= Frame::write(Frame::WINDOW_UPDATE, 0, $frame->stream, \pack('N', $size));
        }
        return $more === '' || $this->put($more);
    }

    private function finish(Stream $stream): Response
    {
        unset($this->streams[$stream->number]);
        $response = $stream->takePart(true);
        $encoding = $response->headers['content-encoding'] ?? '';
        $decoded = match ($encoding) {
            'gzip' => @\gzdecode($response->data),
            'deflate' => @\gzuncompress($response->data),
            default => false,
        };
        if (\is_string($decoded)) {
            $response->data = $decoded;
        }
        return $response;
    }

    private function unfinished(): bool
    {
        foreach ($this->streams as $number => $stream) {
            if ($number <= $this->serverLastStream) {
                return true;
            }
        }
        return false;
    }

    private function headers(int $number, string $block, bool $ends): string
    {
        $parts = \str_split($block, \max(1, $this->remote['max_frame_size']));
        $frames = '';
        foreach ($parts as $at => $part) {
            $flags = ($at === \count($parts) - 1 ? Frame::END_HEADERS : 0) | ($at === 0 && $ends ? Frame::END_STREAM : 0);
            $frames .= Frame::write($at === 0 ? Frame::HEADERS : Frame::CONTINUATION, $flags, $number, $part);
        }
        return $frames;
    }

    private function flushAll(): bool
    {
        foreach ($this->streams as $stream) {
            if (!$this->flush($stream)) {
                return false;
            }
        }
        return true;
    }

    /** Sends what the server's windows take. */
    private function flush(Stream $stream): bool
    {
        $frames = '';
        while (!$stream->ended && ($stream->unsent !== '' || $stream->endsAfterUnsent)) {
            $size = \min(\strlen($stream->unsent), \max(0, $stream->window), \max(0, $this->window), $this->remote['max_frame_size']);
            if ($size === 0 && $stream->unsent !== '') {
                break;
            }
            $part = \substr($stream->unsent, 0, $size);
            $stream->unsent = \substr($stream->unsent, $size);
            $stream->window -= $size;
            $this->window -= $size;
            $stream->ended = $stream->endsAfterUnsent && $stream->unsent === '';
            $frames .= Frame::write(Frame::DATA, $stream->ended ? Frame::END_STREAM : 0, $stream->number, $part);
        }
        return $frames === '' || $this->put($frames);
    }

    private function put(string $data): bool
    {
        return $this->wire->send($data, $this->timeout) === \strlen($data);
    }
}
