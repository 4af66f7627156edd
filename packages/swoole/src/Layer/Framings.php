<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Tcp\ByteOrder;
use Sluice\Tcp\Framing;

/** How bytes are cut into packages, by Swoole's options: in the engine where it can, or in PHP. */
final class Framings
{
    /** Width, signed, byte order; null: the machine's, which is little-endian. */
    private const TYPES = [
        'c' => [1, true, ByteOrder::BigEndian], 'C' => [1, false, ByteOrder::BigEndian], 's' => [2, true, ByteOrder::LittleEndian], 'S' => [2, false, ByteOrder::LittleEndian],
        'n' => [2, false, ByteOrder::BigEndian], 'v' => [2, false, ByteOrder::LittleEndian], 'l' => [4, true, ByteOrder::LittleEndian], 'L' => [4, false, ByteOrder::LittleEndian],
        'N' => [4, false, ByteOrder::BigEndian], 'V' => [4, false, ByteOrder::LittleEndian], 'q' => [8, true, ByteOrder::LittleEndian], 'Q' => [8, false, ByteOrder::LittleEndian],
        'J' => [8, false, ByteOrder::BigEndian], 'P' => [8, false, ByteOrder::LittleEndian],
    ];

    /** @param array<string, mixed> $setting */
    public static function of(array $setting): Framing
    {
        if (self::protocol($setting) !== null) {
            return Framing::none();
        }
        if (self::byLength($setting)) {
            if (self::cutter($setting) !== null) {
                return Framing::none();
            }
            [$width, , $order] = self::type($setting);
            $offset = Options::int($setting, 'package_length_offset');
            return Framing::lengthPrefix($width, $offset, $order, self::bodyOffset($setting) === 0, true, self::longest($setting));
        }
        if (self::byEnd($setting)) {
            $end = self::end($setting);
            return \strlen($end) <= 8 ? Framing::line($end, self::longest($setting)) : Framing::none();
        }
        return Framing::none();
    }

    /**
     * What cuts packages in PHP, as the engine cannot; null: it can.
     *
     * @param array<string, mixed> $setting
     * @return (\Closure(string): (array{string, string}|null|false))|null gives a package and the rest; null: more is needed; false: an error
     */
    public static function cutter(array $setting): ?\Closure
    {
        $protocol = self::protocol($setting);
        if ($protocol !== null) {
            return $protocol;
        }
        if (self::byLength($setting)) {
            return self::engineCuts($setting) ? null : self::byLengthInPhp($setting);
        }
        $end = self::byEnd($setting) ? self::end($setting) : '';
        if (\strlen($end) <= 8) {
            return null;
        }
        return self::byEndInPhp($end, self::longest($setting));
    }

    /**
     * What cuts the packages of a protocol with a name.
     *
     * @param array<string, mixed> $setting
     * @return (\Closure(string): (array{string, string}|null|false))|null
     */
    private static function protocol(array $setting): ?\Closure
    {
        return match (true) {
            Options::bool($setting, 'open_http_protocol') => self::ofHttp(self::longest($setting)),
            Options::bool($setting, 'open_redis_protocol') => RedisProtocol::cutter(self::longest($setting)),
            Options::bool($setting, 'open_mqtt_protocol') => self::ofMqtt(self::longest($setting)),
            default => null,
        };
    }

    /**
     * Requests of HTTP/1.1, whole: for onReceive.
     *
     * @return \Closure(string): (array{string, string}|null|false)
     */
    public static function ofHttp(int $longest): \Closure
    {
        return static function (string $data) use ($longest): array|null|false {
            $parser = new RequestParser();
            $used = $parser->feed($data);
            if ($used === false || ($used === \strlen($data) && !$parser->isCompleted() && $used > $longest)) {
                return false;
            }
            return $parser->isCompleted() ? [\substr($data, 0, $used), \substr($data, $used)] : null;
        };
    }

    /**
     * Packets of MQTT: a byte, then the length of the rest in one to four bytes of seven bits each, the lowest first.
     *
     * @return \Closure(string): (array{string, string}|null|false)
     */
    public static function ofMqtt(int $longest): \Closure
    {
        return static function (string $data) use ($longest): array|null|false {
            $rest = 0;
            for ($at = 1; $at <= 4; ++$at) {
                if ($at >= \strlen($data)) {
                    return null;
                }
                $byte = \ord($data[$at]);
                $rest |= ($byte & 127) << 7 * ($at - 1);
                if ($byte < 128) {
                    $size = $at + 1 + $rest;
                    return $size > $longest ? false : (\strlen($data) < $size ? null : [\substr($data, 0, $size), \substr($data, $size)]);
                }
            }
            return false;
        };
    }

    /** @return \Closure(string): (array{string, string}|null|false) */
    public static function byEndInPhp(string $end, int $longest): \Closure
    {
        return static function (string $data) use ($end, $longest): array|null|false {
            $at = \strpos($data, $end);
            if ($at === false) {
                return \strlen($data) > $longest ? false : null;
            }
            $size = $at + \strlen($end);
            return [\substr($data, 0, $size), \substr($data, $size)];
        };
    }

    /**
     * What packages end with; '' when they do not.
     *
     * @param array<string, mixed> $setting
     */
    public static function terminator(array $setting): string
    {
        return self::byEnd($setting) && !self::byLength($setting) && \strlen(self::end($setting)) <= 8 ? self::end($setting) : '';
    }

    /** @param array<string, mixed> $setting */
    private static function engineCuts(array $setting): bool
    {
        [$width, $signed] = self::type($setting);
        $offset = Options::int($setting, 'package_length_offset');
        $body = self::bodyOffset($setting);
        return !\is_callable($setting['package_length_func'] ?? null) && !$signed && $offset <= 24 && ($body === 0 || $body === $offset + $width);
    }

    /**
     * @param array<string, mixed> $setting
     * @return \Closure(string): (array{string, string}|null|false)
     */
    public static function byLengthInPhp(array $setting): \Closure
    {
        $function = $setting['package_length_func'] ?? null;
        $longest = self::longest($setting);
        if (!\is_callable($function)) {
            [$width, $signed, $order] = self::type($setting);
            $function = self::reader($width, $signed, $order, Options::int($setting, 'package_length_offset'), self::bodyOffset($setting));
        }
        return static function (string $data) use ($function, $longest): array|null|false {
            $size = $function($data);
            if (!\is_int($size) || $size === 0) {
                return null;
            }
            if ($size < 0 || $size > $longest) {
                return false;
            }
            return \strlen($data) < $size ? null : [\substr($data, 0, $size), \substr($data, $size)];
        };
    }

    private static function reader(int $width, bool $signed, ByteOrder $order, int $offset, int $body): \Closure
    {
        return static function (string $data) use ($width, $signed, $order, $offset, $body): int {
            if (\strlen($data) < $offset + $width) {
                return 0;
            }
            $bytes = \substr($data, $offset, $width);
            $length = 0;
            foreach (\str_split($order === ByteOrder::BigEndian ? $bytes : \strrev($bytes)) as $byte) {
                $length = $length << 8 | \ord($byte);
            }
            if ($signed && $width < 8 && $length >= 1 << (8 * $width - 1)) {
                $length -= 1 << (8 * $width);
            }
            return $length < 0 ? -1 : \max(1, $body + $length);
        };
    }

    /** @param array<string, mixed> $setting */
    private static function byLength(array $setting): bool
    {
        return Options::bool($setting, 'open_length_check');
    }

    /** @param array<string, mixed> $setting */
    private static function byEnd(array $setting): bool
    {
        return Options::bool($setting, 'open_eof_check') || Options::bool($setting, 'open_eof_split');
    }

    /** @param array<string, mixed> $setting */
    private static function end(array $setting): string
    {
        return Options::string($setting, 'package_eof', "\r\n") ?: "\r\n";
    }

    /** @param array<string, mixed> $setting */
    private static function bodyOffset(array $setting): int
    {
        return Options::int($setting, 'package_body_offset', Options::int($setting, 'package_body_start'));
    }

    /** @param array<string, mixed> $setting */
    private static function longest(array $setting): int
    {
        return \max(1, Options::size($setting, 'package_max_length', 2 << 20));
    }

    /**
     * @param array<string, mixed> $setting
     * @return array{int, bool, ByteOrder}
     */
    private static function type(array $setting): array
    {
        $type = Options::string($setting, 'package_length_type', 'N');
        return self::TYPES[$type] ?? Errors::fatal("Unknown package_length_type name '$type', see pack(). Link: https://php.net/pack");
    }
}
