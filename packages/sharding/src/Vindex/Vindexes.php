<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\ConfigurationException;

/** Makes vindexes by their types in a VSchema. */
final class Vindexes
{
    private const TYPES = 'binary, binary_md5, consistent_lookup, consistent_lookup_unique, hash, legacy_split, lookup, lookup_hash, lookup_hash_unique, lookup_unique, multicol,'
        . ' null, numeric, numeric_static_map, region_json, reverse_bits, unicode_loose_md5, unicode_loose_xxhash, xxhash';

    /**
     * @param array<mixed> $params
     * @throws ConfigurationException for an unknown type and for wrong parameters
     */
    public static function make(string $name, string $type, array $params): Vindex
    {
        return match ($type) {
            'numeric_static_map' => self::numericStaticMap($name, $params),
            'multicol' => self::multiCol($name, $params),
            'region_json' => self::regionJson($name, $params),
            'legacy_split' => new LegacySplit(
                self::integer($name, $params, 'database_split', 1, \PHP_INT_MAX, 1),
                self::integer($name, $params, 'databases', 1, 65_535),
                self::integer($name, $params, 'table_split', 1, \PHP_INT_MAX, 1),
                self::integer($name, $params, 'tables', 1, 65_536, 1),
                ($params['strings'] ?? false) === true || ($params['strings'] ?? '') === 'true',
            ),
            'lookup', 'consistent_lookup', 'lookup_unique', 'consistent_lookup_unique', 'lookup_hash', 'lookup_hash_unique' => self::lookup($name, $type, $params),
            default => self::functional($type) ?? throw new ConfigurationException("The vindex $name has the unknown type \"$type\". Known are " . self::TYPES . '.'),
        };
    }

    private static function functional(string $type): ?Functional
    {
        return match ($type) {
            'xxhash' => new XxHash(),
            'hash' => new Hash(),
            'binary' => new Binary(),
            'binary_md5' => new BinaryMd5(),
            'numeric' => new Numeric(),
            'reverse_bits' => new ReverseBits(),
            'unicode_loose_md5' => new UnicodeLoose(true),
            'unicode_loose_xxhash' => new UnicodeLoose(false),
            'null' => new NullVindex(),
            default => null,
        };
    }

    /** @param array<mixed> $params */
    private static function numericStaticMap(string $name, array $params): NumericStaticMap
    {
        $map = self::json($name, $params, 'json', 'json_path');
        $fallback = $params['fallback_type'] ?? null;
        $vindex = $fallback === null ? null : (\is_string($fallback) ? self::functional($fallback) : null)
            ?? throw new ConfigurationException("The fallback_type of the vindex $name must be a function such as xxhash.");
        $numbers = [];
        foreach ($map as $key => $value) {
            $numbers[(string) $key] = \is_int($value) || \is_string($value) ? $value : throw new ConfigurationException("The map of the vindex $name has no number for $key.");
        }
        return new NumericStaticMap($numbers, $vindex);
    }

    /** @param array<mixed> $params */
    private static function multiCol(string $name, array $params): MultiCol
    {
        $count = self::integer($name, $params, 'column_count', 1, 8);
        $bytes = [];
        $vindexes = [];
        $byteWords = self::words($params['column_bytes'] ?? '');
        $vindexWords = self::words($params['column_vindex'] ?? '');
        if (\count($byteWords) > $count || \count($vindexWords) > $count) {
            throw new ConfigurationException("The vindex $name has more column_bytes or column_vindex than its column_count $count.");
        }
        $used = 0;
        $unset = 0;
        for ($i = 0; $i < $count; ++$i) {
            $word = $vindexWords[$i] ?? '';
            $vindex = self::functional($word === '' ? 'hash' : $word);
            if ($vindex === null || $word === 'null') {
                throw new ConfigurationException("The vindex $name (multicol) takes functions such as hash, xxhash and binary, not \"$word\".");
            }
            $vindexes[] = $vindex;
            $given = $byteWords[$i] ?? '';
            $bytes[$i] = (int) $given;
            $used += $bytes[$i];
            $unset += $bytes[$i] === 0 ? 1 : 0;
        }
        if ($used + $unset > 8) {
            throw new ConfigurationException("The column_bytes of the vindex $name give more than the 8 bytes of a keyspace id.");
        }
        // What is left is shared out from the left.
        for ($i = 0, $left = 8 - $used; $i < $count; ++$i) {
            if ($bytes[$i] === 0) {
                $bytes[$i] = (int) \ceil($left / $unset);
                $left -= $bytes[$i];
                --$unset;
            }
        }
        \assert($vindexes !== []);
        return new MultiCol($vindexes, \array_values($bytes));
    }

    /** @param array<mixed> $params */
    private static function regionJson(string $name, array $params): RegionJson
    {
        $bytes = self::integer($name, $params, 'region_bytes', 1, 2);
        $regions = [];
        foreach (self::json($name, $params, 'region_json', 'region_map') as $country => $region) {
            $regions[(string) $country] = \is_int($region) ? $region : throw new ConfigurationException("The region of $country in the vindex $name is no number.");
        }
        return new RegionJson($regions, $bytes === 1 ? 1 : 2);
    }

    /** @param array<mixed> $params */
    private static function lookup(string $name, string $type, array $params): Lookup
    {
        $table = $params['table'] ?? null;
        $from = self::words($params['from'] ?? '');
        $to = $params['to'] ?? null;
        if (!\is_string($table) || $from === [] || !\is_string($to)) {
            throw new ConfigurationException("The vindex $name ($type) needs the params table, from and to.");
        }
        if (\count($from) > 1) {
            throw new ConfigurationException("The vindex $name ($type) is on several columns, which is not supported. Look up by one column.");
        }
        return new Lookup($table, $from, $to, \str_ends_with($type, '_unique'), \str_starts_with($type, 'lookup_hash'));
    }

    /**
     * @param array<mixed> $params
     * @return array<mixed>
     */
    private static function json(string $name, array $params, string $inline, string $path): array
    {
        $json = $params[$inline] ?? (\is_string($params[$path] ?? null) ? @\file_get_contents($params[$path]) : null);
        $map = \is_string($json) ? \json_decode($json, true) : $json;
        return \is_array($map) ? $map : throw new ConfigurationException("The vindex $name needs the param $path, the path of a JSON file, or $inline, the map itself.");
    }

    /** @param array<mixed> $params */
    private static function integer(string $name, array $params, string $key, int $min, int $max, ?int $default = null): int
    {
        $value = $params[$key] ?? $default ?? throw new ConfigurationException("The vindex $name needs the param $key.");
        if ((!\is_int($value) && !(\is_string($value) && \preg_match('/\A\d{1,18}\z/', $value))) || (int) $value < $min || (int) $value > $max) {
            throw new ConfigurationException("The param $key of the vindex $name must be a number from $min to $max, " . \json_encode($value) . ' given.');
        }
        return (int) $value;
    }

    /** @return list<string> */
    private static function words(mixed $text): array
    {
        return \is_string($text) && $text !== '' ? \array_map('trim', \explode(',', $text)) : [];
    }
}
