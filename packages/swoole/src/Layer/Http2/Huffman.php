<?php

declare(strict_types=1);

namespace Sluice\Swoole\Http2;

/** The code of RFC 7541, appendix B. It is canonical: the lengths of the codes say which they are. */
final class Huffman
{
    /** Symbols by the lengths of their codes; 256 ends a text. */
    private const SYMBOLS = [
        5 => [48, 49, 50, 97, 99, 101, 105, 111, 115, 116],
        6 => [32, 37, 45, 46, 47, 51, 52, 53, 54, 55, 56, 57, 61, 65, 95, 98, 100, 102, 103, 104, 108, 109, 110, 112, 114, 117],
        7 => [58, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 89, 106, 107, 113, 118, 119, 120, 121, 122],
        8 => [38, 42, 44, 59, 88, 90],
        10 => [33, 34, 40, 41, 63],
        11 => [39, 43, 124],
        12 => [35, 62],
        13 => [0, 36, 64, 91, 93, 126],
        14 => [94, 125],
        15 => [60, 96, 123],
        19 => [92, 195, 208],
        20 => [128, 130, 131, 162, 184, 194, 224, 226],
        21 => [153, 161, 167, 172, 176, 177, 179, 209, 216, 217, 227, 229, 230],
        22 => [129, 132, 133, 134, 136, 146, 154, 156, 160, 163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190, 196, 198, 228, 232, 233],
        23 => [1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157, 158, 165, 166, 168, 174, 175, 180, 182, 183, 188, 191, 197, 231, 239],
        24 => [9, 142, 144, 145, 148, 159, 171, 206, 215, 225, 236, 237],
        25 => [199, 207, 234, 235],
        26 => [192, 193, 200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255],
        27 => [203, 204, 211, 212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254],
        28 => [2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 220, 249],
        30 => [10, 13, 22, 256],
    ];

    /** @var array<int, int>|null symbols by `length << 32 | code` */
    private static ?array $codes = null;

    /** Null: it is no such code. */
    public static function decode(string $data): ?string
    {
        $codes = self::$codes ??= self::codes();
        $text = '';
        $code = 0;
        $length = 0;
        for ($at = 0, $size = \strlen($data); $at < $size; ++$at) {
            $byte = \ord($data[$at]);
            for ($bit = 7; $bit >= 0; --$bit) {
                $code = $code << 1 | ($byte >> $bit & 1);
                if (++$length > 30) {
                    return null;
                }
                $symbol = $codes[$length << 32 | $code] ?? null;
                if ($symbol !== null) {
                    if ($symbol === 256) {
                        return null;
                    }
                    $text .= \chr($symbol);
                    $code = $length = 0;
                }
            }
        }
        // What is left fills the last byte with ones.
        return $length < 8 && $code === (1 << $length) - 1 ? $text : null;
    }

    /** @return array<int, int> */
    private static function codes(): array
    {
        $codes = [];
        $code = 0;
        $before = 5;
        foreach (self::SYMBOLS as $length => $symbols) {
            $code <<= $length - $before;
            $before = $length;
            foreach ($symbols as $symbol) {
                $codes[$length << 32 | $code++] = $symbol;
            }
        }
        return $codes;
    }
}
