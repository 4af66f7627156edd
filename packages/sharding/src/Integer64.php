<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * A signed or unsigned 64-bit integer, exact, from what PDO and PHP have for one: an int, its decimal text (an unsigned BIGINT above
 * PHP_INT_MAX is a string), or a float that is exactly an integer.
 */
final readonly class Integer64
{
    /** @param string $text canonical decimal text, -9223372036854775808 to 18446744073709551615 */
    private function __construct(public string $text) {}

    /** @throws KeyException when the value is no integer, is out of range, or is a float that has lost digits */
    public static function of(mixed $value): self
    {
        if ($value instanceof self) {
            return $value;
        }
        if (\is_int($value) || \is_bool($value)) {
            return new self((string) (int) $value);
        }
        if (\is_float($value)) {
            if (\floor($value) !== $value || \abs($value) > 9007199254740991.0) {
                throw new KeyException('The float ' . \var_export($value, true) . ' is no exact integer: floats are exact up to 2^53 - 1. Give the id as an int'
                    . ' or as a string of digits.');
            }
            return new self((string) (int) $value);
        }
        if (!\is_string($value)) {
            throw new KeyException('A key of the type ' . \get_debug_type($value) . ' is no integer. Allowed are int, a string of digits, and a float without a'
                . ' fraction below 2^53.');
        }
        if (!\preg_match('/\A(-?)0*(\d+)\z/', $value, $parts)) {
            throw new KeyException('The key ' . self::quote($value) . ' is no integer. Allowed are int, a string of digits, and a float without a fraction below 2^53.');
        }
        [, $sign, $digits] = $parts;
        $limit = $sign === '-' ? '9223372036854775808' : '18446744073709551615';
        if (\strlen($digits) > \strlen($limit) || (\strlen($digits) === \strlen($limit) && \strcmp($digits, $limit) > 0)) {
            throw new KeyException('The key ' . self::quote($value) . ' does not fit into 64 bits. Allowed are -9223372036854775808 to 18446744073709551615.');
        }
        return new self($digits === '0' ? '0' : $sign . $digits);
    }

    public function isNegative(): bool
    {
        return $this->text[0] === '-';
    }

    /** Eight bytes, big endian; a negative number in two's complement. */
    public function bytes(): string
    {
        return \pack('J', $this->wrapped());
    }

    /** The number of these eight bytes as unsigned decimal text. */
    public static function fromBytes(string $bytes): self
    {
        /** @var array{1: int, 2: int} $halves */
        $halves = \unpack('N2', $bytes);
        [$high, $low] = [$halves[1], $halves[2]];
        $digits = '';
        do {
            $rest = (($high % 10) << 32) + $low;
            $high = \intdiv($high, 10);
            $low = \intdiv($rest, 10);
            $digits = $rest % 10 . $digits;
        } while ($high > 0 || $low > 0);
        return new self($digits);
    }

    /**
     * `floor(this / $split) % $count` of the absolute value, exact for all 64 bits.
     *
     * @param int $split 1 to PHP_INT_MAX
     * @param int $count 1 to 2^31
     */
    public function dividedAndReduced(int $split, int $count): int
    {
        $digits = \ltrim($this->text, '-');
        if (\strlen($digits) < 19 || (\strlen($digits) === 19 && \strcmp($digits, '9223372036854775807') <= 0)) {
            return \intdiv((int) $digits, $split) % $count;
        }
        // Long division, digit by digit: the remainder is below $split, so ten times it could overflow only for a huge $split.
        $quotient = '';
        $rest = '0';
        foreach (\str_split($digits) as $digit) {
            $rest = \ltrim($rest . $digit, '0');
            $times = 0;
            while (Decimal::compare($rest === '' ? '0' : $rest, (string) $split) >= 0) {
                $rest = Decimal::subtract($rest, (string) $split);
                ++$times;
            }
            $quotient .= $times;
        }
        $reduced = 0;
        foreach (\str_split($quotient) as $digit) {
            $reduced = ($reduced * 10 + (int) $digit) % $count;
        }
        return $reduced;
    }

    /** Signed, with numbers above PHP_INT_MAX as the negative number of the same bits. */
    private function wrapped(): int
    {
        if ($this->isNegative() || \strlen($this->text) < 19 || (\strlen($this->text) === 19 && \strcmp($this->text, '9223372036854775807') <= 0)) {
            return (int) $this->text;
        }
        // Two halves of decimal digits, added with carry in 32-bit parts: nothing becomes a float.
        $high = 0;
        $low = 0;
        foreach (\str_split($this->text) as $digit) {
            $low = $low * 10 + (int) $digit;
            $high = ($high * 10 + ($low >> 32)) & 0xffffffff;
            $low &= 0xffffffff;
        }
        return ($high << 32) | $low;
    }

    private static function quote(string $value): string
    {
        return \strlen($value) > 40 ? '"' . \substr($value, 0, 40) . '…"' : "\"$value\"";
    }
}
