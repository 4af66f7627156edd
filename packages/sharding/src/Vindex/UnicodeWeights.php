<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\KeyException;

/**
 * Primary weights of the Unicode collation algorithm as unicode_loose_md5 and unicode_loose_xxhash hash them: version 6.2 with CLDR's root
 * collation. A string's key is the weights of its characters, without those that have none, such as combining accents.
 *
 * The table has Latin, Greek, Cyrillic, kana, punctuation and currencies; CJK ideographs follow a rule. Other characters are refused, and so
 * are Cyrillic letters with separate combining marks, which have weights in common.
 *
 * @internal
 */
final class UnicodeWeights
{
    /** From the first code point of a range to the weights from there on, in hexadecimal; `-` is none, `*n` repeats. */
    private const TABLE = [
        0x0000 => '-*9 0100 0101 0102 0103 0104 -*18 0109 015d 01f0 0275 13ef 0276 0273 01e9 01fa 01fb 026c 049c 0120 010d 0172 0271 14e6 14e7 14e8 14e9 14ea '
            . '14eb 14ec 14ed 14ee 14ef 0136 0131 04a0 04a1 04a2 0162 026b 15ef 1605 161d 1631 164c 1684 1691 16b4 16cd 16e6 16ff 1711 1741 174f 1771 1796 '
            . '17ab 17bd 17f3 1816 1836 185f 1871 187b 1880 1895 01fc 0272 01fd 0312 010b 030f 15ef 1605 161d 1631 164c 1684 1691 16b4 16cd 16e6 16ff 1711 '
            . '1741 174f 1771 1796 17ab 17bd 17f3 1816 1836 185f 1871 187b 1880 1895 01fe 04a4 01ff 04a6 -*6 0105 -*26 0109 015e 13ee 13f0 13ed 13f1 04a5 '
            . '0267 0316 040c 15ef 01f8 04a3 - 040d 0313 0382 049d 14e8 14e9 0310 193b 0269 0183 0319 14e7 1771 01f9 14e704ac14ea 14e704ac14e8 14e904ac14ea '
            . '0163 15ef*6 15ef164c 161d 164c*4 16cd*4 1631 174f 1771*5 049f 1771 1836*4 1880 18c4 17f317f3 15ef*6 15ef164c 161d 164c*4 16cd*4 1631 174f '
            . '1771*5 049e 1771 1836*4 1880 18c4 1880 15ef*6 161d*8 1631*4 164c*10 1691*8 16b4*4 16cd*9 16d1 16cd16e6*2 16e6*2 16ff*2 17b9 1711*10 174f*6 '
            . '18ef174f 176d*2 1771*6 1771164c*2 17bd*6 17f3*8 1816*4 181b*2 1836*12 1871*2 1880*3 1895*6 17f3 160d 1615 1619*2 18e2*2 177d 1627*2 1639 '
            . '163d 1642*2 18951871 1657 165c 1661 168b*2 16a2 16ac 16bc 16e1 16db 1705*2 171c 1739 1850 175a 175e 1788 1771*2 16b0*2 179f*2 17c1 18da*2 '
            . '1804 1809 1821 1825*2 1829 1836*2 185a 1866 188c*2 189a*2 18b2 18b7*2 18bc 18d3 18de*2 181617f3 18ca 1909 190d 1911 1915 16311895*3 '
            . '171116e6*3 174f16e6*3 15ef*2 16cd*2 1771*2 1836*10 1657 15ef*4 15ef164c*2 169d*2 1691*2 16ff*2 1771*4 18b2*2 16e6 16311895*3 1691*2 16bc '
            . '18ca 174f*2 15ef*2 15ef164c*2 1771*2 15ef*4 164c*4 16cd*4 1771*4 17bd*4 1836*4 17f3*2 1816*2 1891*2 16b4*2 175e 1646 1791*2 18a0*2 15ef*2 '
            . '164c*2 1771*8 1880*2 172f 1768 182d 16ea 16311605 17ab1796 15f4 1622*2 171c 181f 17fe 18ac 18ea*2 160d 183e 186d 1651*2 16ef*2 17b5*2 17c7*2 '
            . '1888*2 15f8 15fc 1601 1615 177d 162b 1639 163d 1666 165c 166a 1661 166e 1674 1678 16f7 16a2 1695 1699 16ac 1680 1844 16c0 16c7 16db 16e1 '
            . '16d5 1721 1725 172a 1734 1850 1856 1748 175a 1764 1753 1788 1777 178d 17a6 17cc 17d1 17d6 17db 17df 17e3 17e8 17c1 17ec 17fa 1804 16fb 180d '
            . '1812 1832 1829 183e 185a 1866 186d 1877 173d 1884 18a4 18a8 18b2 18c0 18e6 18f4 1905 1919 191d 1609 167c 16a6 16b8 16f3 170d 1715 17b1 18fd '
            . '1901 16311895 163118b2 163118a8 181617f3 18161804 1816162b 1684176d 171117f3 17111895 1921 1925 1848 184c 16b4 16c0 16e6 17bd 17cc 17d6 17ec '
            . '1871 1880 0320 0322 16cb 18ef 16cc 18f1 18f8 18ee 18f9 0323 0324 0325 0326 0327 0328 0329 032a 032b 032c 032d 032e 032f 0330 13d9 13da 0331 '
            . '0332 0333 0334 0335 0336 0314 0315 0317 031a 0311 0318 0337 0338 16ac 1711 17f3 187b 18f4 0339 033a 033b 033c 033d 033e 033f 0340 0341 18f0 '
            . '0342 0343 0344 0345 0346 0347 0348 0349 034a 034b 034c 034d 034e 034f 0350 0351 0352 -*99 15ef 164c 16cd 1771 1836 161d 1631 16b4 1741 17bd '
            . '1816 185f 187b',
        0x0370 => '1933*2 1953*2 0320 0321 1930*2 850378 850379 1936 1949 1948 194a 0131 85037f 850380 850381 850382 850383 0310 0316 1929 0183 192e 1934 1936 '
            . '85038b 193e 85038d 194c 1951 1936 1929 192a 192b 192d 192e 1932 1934 1935 1936 1938 1939 193b 193c 193d 193e 193f 1944 8503a2 1947 194b 194c '
            . '194d 194e 194f 1951 1936 194c 1929 192e 1934 1936 194c 1929 192a 192b 192d 192e 1932 1934 1935 1936 1938 1939 193b 193c 193d 193e 193f 1944 '
            . '1947*2 194b 194c 194d 194e 194f 1951 1936 194c 193e 194c 1951 193819291936 192a 1935 194c*3 194d 193f 193819291936 1943*2 1931*2 192f*2 '
            . '1942*2 1952*2 1974*2 1979*2 197a*2 197d*2 1984*2 1987*2 198b*2 1938 1944 1947 1937 1935 192e 0497 1954*2 1947 1941*2 1946 1949 1948 194a '
            . '19d9*2 19cb 19d1 19e1 19fe 1a16 1a1b 1a23 1a4d 1a72 1ab1 1ab5 1a0a 1abd 1b2a 1991 19a9 19ad 19b1 19c5 19d9 19e5 19f2 1a0a 1a1f 1a28 1a42 '
            . '1a54 1a5d 1a77 1a87 1a94 1a9d 1aa6 1ab9 1ad6 1ada 1b01 1b0c 1b2e 1b33 1b3a 1b3f 1b47 1b54 1b5c 1b62 1991 19a9 19ad 19b1 19c5 19d9 19e5 19f2 '
            . '1a0a 1a1f 1a28 1a42 1a54 1a5d 1a77 1a87 1a94 1a9d 1aa6 1ab9 1ad6 1ada 1b01 1b0c 1b2e 1b33 1b3a 1b3f 1b47 1b54 1b5c 1b62 19d9*2 19cb 19d1 '
            . '19e1 19fe 1a16 1a1b 1a23 1a4d 1a72 1ab1 1ab5 1a0a 1abd 1b2a 1af0*2 1b4f*2 1b67*2 1b6b*2 1b75*2 1b70*2 1b7a*2 1b7e*2 1b82*2 1b86*2 1b8a*2 '
            . '1b8e*2 1ad2*2 1afd*2 1af9*2 1af4*2 1a90*2 0383 -*7 1a0e*2 1b4b*2 1a98*2 19b1*2 19b5*2 19bd*2 19ee*2 19d5*2 1a2c*2 1a3c*2 1a38*2 1a34*2 '
            . '1a65*2 1a6e*2 1a8c*2 1b93*2 1aa2*2 1aac*2 1ac9*2 1acd*2 1ae6*2 1b07*2 1b15*2 1b1d*2 1aea*2 1b22*2 1b26*2 1b98 19e5*2 1a30*2 1a47*2 1a69*2 '
            . '1a61*2 1b19*2 1a58*2 1b98 1995*2 1999*2 19a5*2 19dd*2 199d*2 19a1*2 19ea*2 19f9*2 1a03*2 1a0a*2 1a12*2 1a7b*2 1a7f*2 1a83*2 1b58*2 1ab9*2 '
            . '1ac1*2 1ac5*2 1b11*2 19c1*2 1b43*2 19b9*2 1ade*2 1ae2*2 19c9*2 19d0*2 19f7*2 1a08*2 1a52*2 1a76*2 1aa1*2 1aab*2 19f8*2 1a4b*2 1a53*2 1a9c*2 '
            . '1b66*2 1a41*2 1b97*2 1a40*2 1a4c*2 1a6d*2 1a8b*2 1aee*2 850528 850529 85052a 85052b 85052c 85052d 85052e 85052f',
        0x1e00 => '15ef*2 1605*6 161d*2 1631*10 164c*10 1684*2 1691*2 16b4*10 16cd*4 16ff*6 1711*8 1741*6 174f*8 1771*8 1796*4 17bd*8 17f3*10 1816*8 1836*10 '
            . '185f*4 1871*10 187b*4 1880*2 1895*6 16b4 1816 1871 1880 15ef18f1 17f3 1802 1803 17f317f3 164b 15ef*24 164c*16 16cd*4 1771*24 1836*14 1880*8 '
            . '17111711*2 186c*2 1890*2 1929*16 192e*6 851f16 851f17 192e*6 851f1e 851f1f 1934*16 1936*16 193e*6 851f46 851f47 193e*6 851f4e 851f4f 194c*8 '
            . '851f58 194c 851f5a 194c 851f5c 194c 851f5e 194c 1951*16 1929*2 192e*2 1934*2 1936*2 193e*2 194c*2 1951*2 851f7e 851f7f 1929*16 1934*16 '
            . '1951*16 1929*5 851fb5 1929*7 031b 1936 031b 031d 0316 1934*3 851fc5 1934*2 192e*2 1934*3 031b*3 1936*4 851fd4 851fd5 1936*6 851fdc 031c*3 '
            . '194c*4 1944*2 194c*6 1944 0316*2 030f 851ff0 851ff1 1951*3 851ff5 1951*2 193e*2 1951*3 0310 031c 851fff',
        0x2000 => '0109*11 -*5 0113*2 0114 0115 0116 0117 0262 010c 01ea 01eb 01ec 01ed 01f1 01f2 01f3 01f4 027c 027d 0281 0282 0172 01720172 017201720172 0283 '
            . '0107 0108 -*5 0109 0278 027a 0287 02870287 028702870287 0288 02880288 028802880288 028b 01ee 01ef 028c 015d015d 0170 010a 028d 028f 0291 '
            . '0292 0284 04ac 0206 0207 01620162 0162015d 015d0162 0274 026a 0285 0286 026d 0133 0290 026e 04a8 011a 028e 01ce 01cf 0287028702870287 01d0 '
            . '01d1 01d2 01d3 01d4 01d5 01d6 0109 -*5 852065 852066 852067 852068 852069 -*6',
        0x20a0 => '13fc 13fd 13fe 13ff 1400 1401 1402 1403 1416 1404 1405 1406 1407 1408 1409 140a 140b 140c 140d 140e 140f 1410 1411 1412 1413 1414 1415 '
            . '8520bb 8520bc 8520bd 8520be 8520bf',
        0x3040 => '853040 32bb*2 32bc*2 32bd*2 32bf*2 32c0*2 32c1*2 32c2*2 32c3*2 32c4*2 32c5*2 32c6*2 32c7*2 32c8*2 32c9*2 32ca*2 32cb*2 32cc*2 32cd*3 32ce*2 '
            . '32cf*2 32d0 32d1 32d2 32d3 32d4 32d5*3 32d6*3 32d7*3 32d8*3 32d9*3 32da 32db 32dc 32dd 32de 32df*2 32e0*2 32e2*2 32e3 32e4 32e5 32e6 32e7 '
            . '32e8*2 32e9 32ea 32eb 32ec 32bd 32c1 32c4 853097 853098 -*2 031e 031f 13ea*2 32e232e4 011e 32bb*2 32bc*2 32bd*2 32bf*2 32c0*2 32c1*2 32c2*2 '
            . '32c3*2 32c4*2 32c5*2 32c6*2 32c7*2 32c8*2 32c9*2 32ca*2 32cb*2 32cc*2 32cd*3 32ce*2 32cf*2 32d0 32d1 32d2 32d3 32d4 32d5*3 32d6*3 32d7*3 '
            . '32d8*3 32d9*3 32da 32db 32dc 32dd 32de 32df*2 32e0*2 32e2*2 32e3 32e4 32e5 32e6 32e7 32e8*2 32e9 32ea 32eb 32ec 32bd 32c1 32c4 32e8 32e9 '
            . '32ea 32eb 011f 13eb 13ec*2 32c532cf',
    ];

    /** @var array<int, string>|null weights by code point */
    private static ?array $weights = null;

    /**
     * What is hashed for a string.
     *
     * @throws KeyException when it is not valid UTF-8, or has characters that are not in the table
     */
    public static function key(string $text): string
    {
        $text = \rtrim($text, ' ');
        if (\preg_match('//u', $text) !== 1) {
            throw new KeyException('The key ' . \bin2hex($text) . ' (hexadecimal) is not valid UTF-8, which unicode_loose vindexes take.');
        }
        if (\preg_match('/[\x{400}-\x{52f}]/u', $text) === 1 && \preg_match('/[\x{300}-\x{36f}]/u', $text) === 1) {
            throw new KeyException("The key \"$text\" has Cyrillic letters and separate combining marks, whose weights are not known here. Normalise it to NFC first.");
        }
        $weights = self::$weights ??= self::expand();
        $key = '';
        foreach (\preg_split('//u', $text, -1, \PREG_SPLIT_NO_EMPTY) ?: [] as $character) {
            $code = self::codePoint($character);
            $key .= $weights[$code] ?? ($code >= 0x4e00 && $code <= 0x9fa5 ? \substr(\pack('N', 0x810000 + $code), 1) : throw new KeyException(
                \sprintf('The key "%s" has the character U+%04X, whose weight is not known here. Take xxhash or binary_md5 for such keys.', $text, $code),
            ));
        }
        return $key;
    }

    private static function codePoint(string $character): int
    {
        $first = \ord($character[0]);
        $length = \strlen($character);
        $code = $length === 1 ? $first : $first & (0x7f >> $length);
        for ($i = 1; $i < $length; ++$i) {
            $code = ($code << 6) | (\ord($character[$i]) & 0x3f);
        }
        return $code;
    }

    /** @return array<int, string> */
    private static function expand(): array
    {
        $weights = [];
        foreach (self::TABLE as $code => $words) {
            foreach (\explode(' ', $words) as $word) {
                [$weight, $times] = \explode('*', $word) + [1 => '1'];
                $bytes = $weight === '-' ? '' : (string) \hex2bin($weight);
                for ($i = (int) $times; $i > 0; --$i) {
                    $weights[$code++] = $bytes;
                }
            }
        }
        return $weights;
    }
}
