<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\Http\{Request, Response};

/** What the developer sees: a line for each request and each reload. In colours on a terminal. */
final class Terminal
{
    /** @param resource $stream */
    public function __construct(private $stream, private readonly bool $hasColours) {}

    public static function ofThisProcess(): self
    {
        return new self(\STDERR, \stream_isatty(\STDERR) && \getenv('NO_COLOR') === false);
    }

    /** Comes before the server's own banner, which has the addresses. */
    public function development(bool $detectsLeaks): void
    {
        $leaks = $detectsLeaks ? 'What requests leave behind is told as "Leak:" (--no-leaks: is not looked for, and a worker handles several requests at a time).' : 'Leaks are not looked for.';
        $this->write("\n  " . $this->colour('1;36', 'Development') . ": changes reload the server and refresh browsers, and errors are shown to everybody.\n  $leaks\n");
    }

    public function reloaded(int $generation, ?\Throwable $error): void
    {
        $this->write($this->clock() . ($error === null
            ? $this->colour('36', 'reloaded') . $this->colour('2', " (boot $generation)")
            : $this->colour('31', 'the code does not boot: ') . \get_debug_type($error) . ": {$error->getMessage()} in {$error->getFile()}:{$error->getLine()}") . "\n");
    }

    public function request(Request $request, Response $response, float $seconds): void
    {
        if (\str_starts_with($request->path(), '/_sluice/')) {
            return;
        }
        $status = $response->statusCode();
        $colour = match (true) {
            $status >= 500 => '1;31',
            $status >= 400 => '33',
            $status >= 300 => '36',
            default => '32',
        };
        // Whatever a client sends, no line becomes two, and no byte is a command to the terminal.
        $target = (string) \preg_replace('/[^\x21-\x7e]/', '?', $request->target());
        $this->write($this->clock() . $this->colour($colour, (string) $status) . ' ' . \str_pad($request->method(), 6) . " $target " . $this->colour('2', self::duration($seconds)) . "\n");
    }

    private static function duration(float $seconds): string
    {
        return $seconds >= 1 ? \sprintf('%.2f s', $seconds) : \sprintf($seconds >= 0.01 ? '%.0f ms' : '%.1f ms', $seconds * 1000);
    }

    private function clock(): string
    {
        return $this->colour('2', \date('H:i:s')) . ' ';
    }

    private function colour(string $code, string $text): string
    {
        return $this->hasColours ? "\e[{$code}m$text\e[0m" : $text;
    }

    private function write(string $text): void
    {
        \fwrite($this->stream, $text);
    }
}
