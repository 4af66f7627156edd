<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, DataProvider};
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{ConfigurationException, KeyException};
use Sluice\Sharding\Vindex\{Functional, Hash, LegacySplit, Vindexes};

/** Keyspace ids as Vitess publishes them in the tests of its vindexes. */
#[CoversNothing]
final class VindexTest extends TestCase
{
    /** @return iterable<string, array{string, mixed, string}> */
    public static function published(): iterable
    {
        $vectors = [
            'xxhash' => [
                ['test1', 'd01ab7e4d6978f0b'], ['test2', '87eb11714c0a0e89'], ['testaverylongvaluetomakesurethisworks', '81d8c38e0d850e6a'],
                [1, 'd46405367612b4b7'], [null, '99e9d85137db46ef'], [-1, 'd8e2a6a7c8c7623d'], ['18446744073709551615', '477cfa8d6d8f1f8d'],
                [\PHP_INT_MAX, 'b37eb01f7bffafd8'], [\PHP_INT_MIN, '102c27ddb26a609e'], ["\x9e\xfa", \bin2hex(\strrev(\hash('xxh64', "\x9e\xfa", true)))],
            ],
            'hash' => [
                [1, '166b40b44aba4bd6'], [2, '06e7ea22ce92708f'], [3, '4eb190c9a2fa169c'], [4, 'd2fd8867d50d2dfe'], [5, '70bb023c810ca87a'], [6, 'f098480ac4c4be71'],
                ['1', '166b40b44aba4bd6'], [1.0, '166b40b44aba4bd6'],
            ],
            'reverse_bits' => [
                [1, '8000000000000000'], [2, '4000000000000000'], [3, 'c000000000000000'], [4, '2000000000000000'], [5, 'a000000000000000'], [6, '6000000000000000'],
            ],
            'numeric' => [[1, '0000000000000001'], [255, '00000000000000ff'], ['18446744073709551615', 'ffffffffffffffff'], ['9223372036854775808', '8000000000000000']],
            'binary' => [['Test', '54657374']],
            'null' => [[1, '00'], ['x', '00']],
            'binary_md5' => [['Test', '0cbc6611f5540bd0809a388dc95a615b'], ['TEST', '033bd94b1168d7e4f0d644c3c95e35bf']],
            'unicode_loose_md5' => [
                ['Test', '0b5edbb401fd7524393690491d64f1f5'], ['TEST', '0b5edbb401fd7524393690491d64f1f5'], ["Te\u{301}st", '0b5edbb401fd7524393690491d64f1f5'],
                ['Tést', '0b5edbb401fd7524393690491d64f1f5'], ['Bést', 'c2b2332e4f73d00741026249706f2fb6'], ['Test ', '0b5edbb401fd7524393690491d64f1f5'],
                [' Test', 'a2e3515c7e8df1ffd2ccfc11c6b19dd1'], ["Test\t", '82456dd87a9c7a02b1c2056b5abaa272'], ['TéstLooong', '9683e12b80430cd453f5dfdfba81c9a5'],
                ['T', 'ac0f9179f51db87fe8ecc0cf40cab97a'],
            ],
            'unicode_loose_xxhash' => [
                ['Test', '42d21361087a4c07'], ['TEst', '42d21361087a4c07'], ["Te\u{301}st", '42d21361087a4c07'], ['Tést', '42d21361087a4c07'], ['Bést', '926975b9ce2ec316'],
                ['Test ', '42d21361087a4c07'], [' Test', '4fcb8be34ec05775'], ["Test\t", '20af87fc36e3fd51'], ['TéstLooong', 'd3ea873942b484a7'], ['T', 'f81c3be2d501fe18'],
                [null, '99e9d85137db46ef'],
            ],
        ];
        foreach ($vectors as $type => $rows) {
            foreach ($rows as [$value, $id]) {
                yield "$type " . \addcslashes(\var_export($value, true), "\0..\37\177..\377") => [$type, $value, $id];
            }
        }
    }

    #[DataProvider('published')]
    public function testAFunctionGivesThePublishedKeyspaceId(string $type, mixed $value, string $id): void
    {
        self::assertSame($id, self::hash($type, $value));
    }

    public function testHashIsReversible(): void
    {
        foreach (['0', '1', '9007199254740993', '9223372036854775808', '18446744073709551615'] as $number) {
            self::assertSame($number, (new Hash())->reverse((new Hash())->hash($number)));
        }
        $this->expectException(KeyException::class);
        (new Hash())->reverse('1234567812345678');
    }

    public function testNumericStaticMapTakesItsTableFirst(): void
    {
        $vindex = Vindexes::make('m', 'numeric_static_map', ['json' => '{"3": 2, "18446744073709551615": 7}']);
        foreach ([[1, 1], [2, 2], [3, 2], [4, 4], ['18446744073709551615', 7]] as [$value, $number]) {
            self::assertSame([\pack('J', $number)], $vindex->map([$value])->keyspaceIds);
        }
        $fallback = Vindexes::make('m', 'numeric_static_map', ['json' => ['3' => 2], 'fallback_type' => 'xxhash']);
        self::assertSame('d46405367612b4b7', \bin2hex($fallback->map([1])->keyspaceIds[0]));
    }

    public function testMultiColJoinsTheFirstBytesAndTakesPartialKeys(): void
    {
        $vindex = Vindexes::make('m', 'multicol', ['column_count' => '3']);
        self::assertSame(3, $vindex->cost());
        foreach ([[1, '166b40166b40166b'], [255, '254e88166b40166b'], [256, 'dd7c0b166b40166b']] as [$first, $id]) {
            self::assertSame($id, \bin2hex($vindex->map([$first, 1, 1])->keyspaceIds[0]));
        }
        self::assertSame('166b40-166b41', $vindex->map([1])->range?->name());
        self::assertSame('166b40166b40-166b40166b41', $vindex->map([1, 1])->range?->name());
    }

    public function testRegionJsonBeginsWithTheRegion(): void
    {
        $regions = ['US' => 1, 'DE' => 255];
        self::assertSame('01166b40b44aba4bd6', \bin2hex(Vindexes::make('r', 'region_json', ['region_bytes' => 1, 'region_json' => $regions])->map([1, 'US'])->keyspaceIds[0]));
        $two = Vindexes::make('r', 'region_json', ['region_bytes' => '2', 'region_json' => $regions]);
        self::assertSame('00ff166b40b44aba4bd6', \bin2hex($two->map([1, 'DE'])->keyspaceIds[0]));
        $this->expectExceptionMessage('Known are US, DE');
        $two->map([1, 'XX']);
    }

    public function testLegacySplitIsTheSeedsRule(): void
    {
        $split = new LegacySplit(1, 100, 100, 100);
        self::assertSame([78, 46], [$split->database(543234678), $split->table(543234678)]);
        self::assertSame([78, 46], [$split->database('543234678'), $split->table('543234678')]);
        self::assertSame('_46', $split->suffix($split->hash(543234678)));
        self::assertSame(\crc32('anna') % 100, $split->database('anna'));
    }

    /** A division by `/` makes a float of these, and takes another shard. */
    public function testLegacySplitIsExactForAll64Bits(): void
    {
        $split = new LegacySplit(10, 100);
        self::assertSame(\intdiv(\PHP_INT_MAX, 10) % 100, $split->database(\PHP_INT_MAX));
        foreach ([
            ['9007199254740991', 99], ['9007199254740993', 99], ['9223372036854775807', 80], ['9223372036854775808', 80], ['18446744073709551615', 61],
            ['18446744073709551605', 60], ['-9223372036854775808', 80], ['-15', 1],
        ] as [$id, $database]) {
            self::assertSame($database, $split->database($id), $id);
        }
        $huge = new LegacySplit(\PHP_INT_MAX, 100);
        self::assertSame(2, $huge->database('18446744073709551615'));
        self::assertSame(1, $huge->database('9223372036854775808'));
    }

    /** @return iterable<string, array{string, mixed, string}> */
    public static function refused(): iterable
    {
        yield 'a float above 2^53' => ['xxhash', 9007199254740994.0, 'exact up to 2^53'];
        yield 'a fraction' => ['hash', 1.5, 'no exact integer'];
        yield 'infinity' => ['hash', \INF, 'no exact integer'];
        yield 'more than 64 bits' => ['hash', '18446744073709551616', 'does not fit'];
        yield 'less than 64 bits' => ['hash', '-9223372036854775809', 'does not fit'];
        yield 'no number' => ['hash', 'abcd', 'no integer'];
        yield 'null' => ['hash', null, 'type null'];
        yield 'an array' => ['xxhash', [], 'type array'];
        yield 'a negative number' => ['numeric', -1, 'negative'];
        yield 'no UTF-8' => ['unicode_loose_md5', "\x99\xeb\x9d", 'not valid UTF-8'];
        yield 'a character without a known weight' => ['unicode_loose_md5', '한', 'U+D55C'];
        yield 'Cyrillic with marks' => ['unicode_loose_md5', "\u{418}\u{306}", 'NFC'];
    }

    #[DataProvider('refused')]
    public function testAValueThatCannotBeAKeyIsRefused(string $type, mixed $value, string $message): void
    {
        $this->expectException(KeyException::class);
        $this->expectExceptionMessage($message);
        self::hash($type, $value);
    }

    /** @return iterable<string, array{string, array<mixed>, string}> */
    public static function wrong(): iterable
    {
        yield 'an unknown type' => ['xxhash64', [], 'Known are binary'];
        yield 'no columns' => ['multicol', ['column_count' => '0'], 'from 1 to 8'];
        yield 'nine columns' => ['multicol', ['column_count' => '9'], 'from 1 to 8'];
        yield 'no number of columns' => ['multicol', [], 'needs the param column_count'];
        yield 'more bytes than columns' => ['multicol', ['column_count' => '3', 'column_bytes' => '1,2,3,4'], 'more column_bytes'];
        yield 'more bytes than 8' => ['multicol', ['column_count' => '3', 'column_bytes' => '100,200,300'], '8 bytes'];
        yield 'null as a column' => ['multicol', ['column_count' => '3', 'column_vindex' => 'binary,binary,null'], 'not "null"'];
        yield 'a lookup as a column' => ['multicol', ['column_count' => '3', 'column_vindex' => 'binary,binary,lookup'], 'not "lookup"'];
        yield 'a region of 3 bytes' => ['region_json', ['region_bytes' => '3', 'region_json' => []], 'from 1 to 2'];
        yield 'a lookup without a table' => ['lookup_unique', ['from' => 'a', 'to' => 'b'], 'table, from and to'];
    }

    /** @param array<mixed> $params */
    #[DataProvider('wrong')]
    public function testAVindexWithWrongParametersIsRefused(string $type, array $params, string $message): void
    {
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage($message);
        Vindexes::make('v', $type, $params);
    }

    private static function hash(string $type, mixed $value): string
    {
        $vindex = Vindexes::make('v', $type, []);
        \assert($vindex instanceof Functional);
        return \bin2hex($vindex->hash($value));
    }
}
