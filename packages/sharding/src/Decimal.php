<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/**
 * Exact arithmetic with decimal text as MySQL writes it, for merging SUM, AVG, MIN, MAX and ORDER BY: any number of digits, no
 * exponent. bcmath is not needed.
 *
 * @internal
 */
final class Decimal
{
    public static function compare(string $a, string $b): int
    {
        [$signA, $wholeA, $fractionA] = self::parts($a);
        [$signB, $wholeB, $fractionB] = self::parts($b);
        if ($signA !== $signB) {
            return $signA <=> $signB;
        }
        return $signA * self::compareMagnitudes($wholeA, $fractionA, $wholeB, $fractionB);
    }

    public static function add(string $a, string $b): string
    {
        [$signA, $wholeA, $fractionA] = self::parts($a);
        [$signB, $wholeB, $fractionB] = self::parts($b);
        $scale = \max(\strlen($fractionA), \strlen($fractionB));
        $x = \ltrim($wholeA . \str_pad($fractionA, $scale, '0'), '0');
        $y = \ltrim($wholeB . \str_pad($fractionB, $scale, '0'), '0');
        if ($signA === $signB || $x === '' || $y === '') {
            $sign = $x === '' ? $signB : $signA;
            $digits = self::addDigits($x, $y);
        } else {
            $order = \strlen($x) <=> \strlen($y) ?: \strcmp($x, $y);
            $sign = $order >= 0 ? $signA : $signB;
            $digits = $order >= 0 ? self::subtractDigits($x, $y) : self::subtractDigits($y, $x);
        }
        return self::text($sign, $digits, $scale);
    }

    public static function subtract(string $a, string $b): string
    {
        return self::add($a, $b[0] === '-' ? \substr($b, 1) : "-$b");
    }

    /**
     * Divides, and rounds half away from zero, as MySQL does for AVG.
     *
     * @param int $divisor 1 to 2^59
     * @param int $scale digits after the point
     */
    public static function divide(string $a, int $divisor, int $scale): string
    {
        [$sign, $whole, $fraction] = self::parts($a);
        $digits = $whole . \str_pad(\substr($fraction, 0, \max($scale + 1, \strlen($fraction))), $scale + 1, '0');
        $extra = \max(0, \strlen($fraction) - $scale - 1);
        $quotient = '';
        $rest = 0;
        foreach (\str_split($digits) as $digit) {
            $rest = $rest * 10 + (int) $digit;
            $quotient .= \intdiv($rest, $divisor);
            $rest %= $divisor;
        }
        // One digit more than asked for, and further ones that do not count: half is rounded up.
        $quotient = \substr($quotient, 0, \strlen($quotient) - $extra);
        $rounded = \substr($quotient, 0, -1);
        if ((int) \substr($quotient, -1) >= 5) {
            $rounded = self::addDigits(\ltrim($rounded, '0'), '1');
        }
        return self::text($sign, \ltrim($rounded, '0'), $scale);
    }

    /** Digits after the point. */
    public static function scale(string $a): int
    {
        $point = \strpos($a, '.');
        return $point === false ? 0 : \strlen($a) - $point - 1;
    }

    /** @return array{int, string, string} sign, digits before the point without leading zeros, digits after it */
    private static function parts(string $a): array
    {
        $sign = 1;
        if ($a !== '' && ($a[0] === '-' || $a[0] === '+')) {
            $sign = $a[0] === '-' ? -1 : 1;
            $a = \substr($a, 1);
        }
        [$whole, $fraction] = \explode('.', $a, 2) + [1 => ''];
        $whole = \ltrim($whole, '0');
        if ($whole === '' && \trim($fraction, '0') === '') {
            $sign = 1;
        }
        return [$sign, $whole, $fraction];
    }

    private static function compareMagnitudes(string $wholeA, string $fractionA, string $wholeB, string $fractionB): int
    {
        $scale = \max(\strlen($fractionA), \strlen($fractionB));
        return \strlen($wholeA) <=> \strlen($wholeB)
            ?: \strcmp($wholeA, $wholeB) <=> 0
            ?: \strcmp(\str_pad($fractionA, $scale, '0'), \str_pad($fractionB, $scale, '0')) <=> 0;
    }

    private static function addDigits(string $x, string $y): string
    {
        $length = \max(\strlen($x), \strlen($y));
        $x = \str_pad($x, $length, '0', \STR_PAD_LEFT);
        $y = \str_pad($y, $length, '0', \STR_PAD_LEFT);
        $carry = 0;
        $sum = '';
        for ($i = $length - 1; $i >= 0; --$i) {
            $digit = (int) $x[$i] + (int) $y[$i] + $carry;
            $sum = $digit % 10 . $sum;
            $carry = \intdiv($digit, 10);
        }
        return $carry > 0 ? "1$sum" : $sum;
    }

    private static function subtractDigits(string $x, string $y): string
    {
        $y = \str_pad($y, \strlen($x), '0', \STR_PAD_LEFT);
        $borrow = 0;
        $difference = '';
        for ($i = \strlen($x) - 1; $i >= 0; --$i) {
            $digit = (int) $x[$i] - (int) $y[$i] - $borrow;
            $borrow = $digit < 0 ? 1 : 0;
            $difference = $digit + 10 * $borrow . $difference;
        }
        return \ltrim($difference, '0');
    }

    private static function text(int $sign, string $digits, int $scale): string
    {
        $digits = \str_pad($digits, $scale + 1, '0', \STR_PAD_LEFT);
        $text = $scale === 0 ? $digits : \substr($digits, 0, -$scale) . '.' . \substr($digits, -$scale);
        return $sign < 0 && \trim($digits, '0') !== '' ? "-$text" : $text;
    }
}
