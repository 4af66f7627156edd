<?php

declare(strict_types=1);

namespace Sluice\Swoole\Http2;

/**
 * Blocks of header fields (RFC 7541). What is sent uses no table, so that there is none to be kept; what is received may use both.
 */
final class Fields
{
    /** The table of appendix A. */
    private const TABLE = [
        [':authority', ''], [':method', 'GET'], [':method', 'POST'], [':path', '/'], [':path', '/index.html'], [':scheme', 'http'], [':scheme', 'https'],
        [':status', '200'], [':status', '204'], [':status', '206'], [':status', '304'], [':status', '400'], [':status', '404'], [':status', '500'],
        ['accept-charset', ''], ['accept-encoding', 'gzip, deflate'], ['accept-language', ''], ['accept-ranges', ''], ['accept', ''],
        ['access-control-allow-origin', ''], ['age', ''], ['allow', ''], ['authorization', ''], ['cache-control', ''], ['content-disposition', ''],
        ['content-encoding', ''], ['content-language', ''], ['content-length', ''], ['content-location', ''], ['content-range', ''], ['content-type', ''],
        ['cookie', ''], ['date', ''], ['etag', ''], ['expect', ''], ['expires', ''], ['from', ''], ['host', ''], ['if-match', ''], ['if-modified-since', ''],
        ['if-none-match', ''], ['if-range', ''], ['if-unmodified-since', ''], ['last-modified', ''], ['link', ''], ['location', ''], ['max-forwards', ''],
        ['proxy-authenticate', ''], ['proxy-authorization', ''], ['range', ''], ['referer', ''], ['refresh', ''], ['retry-after', ''], ['server', ''],
        ['set-cookie', ''], ['strict-transport-security', ''], ['transfer-encoding', ''], ['user-agent', ''], ['vary', ''], ['via', ''], ['www-authenticate', ''],
    ];
    private const MOST_BYTES = 4096;

    /** @var list<array{string, string}> the newest first */
    private array $table = [];
    private int $bytes = 0;
    private int $most = self::MOST_BYTES;
    private string $block = '';
    private int $at = 0;

    /** @param list<array{string, string}> $fields */
    public static function encode(array $fields): string
    {
        $block = '';
        foreach ($fields as [$name, $value]) {
            $block .= "\0" . self::length(\strlen($name)) . $name . self::length(\strlen($value)) . $value;
        }
        return $block;
    }

    /** @return list<array{string, string}>|null null: the block is broken, and what follows on the connection cannot be read */
    public function decode(string $block): ?array
    {
        $this->block = $block;
        $this->at = 0;
        $fields = [];
        while ($this->at < \strlen($block)) {
            $first = \ord($block[$this->at]);
            if ($first >= 0x80) {
                $field = $this->entry($this->number(7));
            } elseif ($first >= 0x40) {
                $field = $this->literal(6);
                if ($field !== null) {
                    $this->remember($field);
                }
            } elseif ($first >= 0x20) {
                $most = $this->number(5);
                if ($most === null || $most > self::MOST_BYTES) {
                    return null;
                }
                $this->most = $most;
                $this->shrink();
                continue;
            } else {
                $field = $this->literal(4);
            }
            if ($field === null) {
                return null;
            }
            $fields[] = $field;
        }
        return $fields;
    }

    private static function length(int $length): string
    {
        if ($length < 127) {
            return \chr($length);
        }
        $text = \chr(127);
        for ($length -= 127; $length >= 128; $length >>= 7) {
            $text .= \chr($length & 127 | 128);
        }
        return $text . \chr($length);
    }

    /** @return array{string, string}|null */
    private function literal(int $bits): ?array
    {
        $index = $this->number($bits);
        if ($index === null) {
            return null;
        }
        $name = $index === 0 ? $this->text() : ($this->entry($index)[0] ?? null);
        $value = $name === null ? null : $this->text();
        return $name === null || $value === null ? null : [$name, $value];
    }

    private function text(): ?string
    {
        if ($this->at >= \strlen($this->block)) {
            return null;
        }
        $isHuffman = \ord($this->block[$this->at]) >= 0x80;
        $length = $this->number(7);
        if ($length === null || $this->at + $length > \strlen($this->block)) {
            return null;
        }
        $text = \substr($this->block, $this->at, $length);
        $this->at += $length;
        return $isHuffman ? Huffman::decode($text) : $text;
    }

    private function number(int $bits): ?int
    {
        if ($this->at >= \strlen($this->block)) {
            return null;
        }
        $most = (1 << $bits) - 1;
        $number = \ord($this->block[$this->at++]) & $most;
        if ($number < $most) {
            return $number;
        }
        for ($shift = 0; $shift <= 28 && $this->at < \strlen($this->block); $shift += 7) {
            $byte = \ord($this->block[$this->at++]);
            $number += ($byte & 127) << $shift;
            if ($byte < 128) {
                return $number;
            }
        }
        return null;
    }

    /** @return array{string, string}|null */
    private function entry(?int $index): ?array
    {
        if ($index === null || $index === 0) {
            return null;
        }
        return self::TABLE[$index - 1] ?? $this->table[$index - 1 - \count(self::TABLE)] ?? null;
    }

    /** @param array{string, string} $field */
    private function remember(array $field): void
    {
        \array_unshift($this->table, $field);
        $this->bytes += self::size($field);
        $this->shrink();
    }

    private function shrink(): void
    {
        while ($this->bytes > $this->most && $this->table !== []) {
            $this->bytes -= self::size(\array_pop($this->table));
        }
    }

    /** @param array{string, string} $field */
    private static function size(array $field): int
    {
        return \strlen($field[0]) + \strlen($field[1]) + 32;
    }
}
