<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, DataProvider};
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Address, ConfigurationException, KeyException, Keyspace, LegacyConfiguration, Options, Sequence, ShardingException, Snowflake};

#[CoversNothing]
final class KeyspaceTest extends TestCase
{
    private const VSCHEMA = [
        'sharded' => true,
        'vindexes' => ['xxhash' => ['type' => 'xxhash']],
        'tables' => [
            'typed' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]],
            'text' => ['column_vindexes' => [['column' => 'name', 'name' => 'xxhash']], 'columns' => [['name' => 'name', 'type' => 'VARCHAR']]],
            'untyped' => ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']]],
        ],
    ];
    private const SHARDS = ['-40' => 'sqlite::memory:', '40-80' => 'sqlite::memory:', '80-c0' => 'sqlite::memory:', 'c0-' => 'sqlite::memory:'];

    public function testOneKeyIsOnOneShardHoweverItIsWritten(): void
    {
        $table = Keyspace::of(self::VSCHEMA, self::SHARDS)->table('typed');
        foreach ([1, 9007199254740991, 9007199254740992, 9007199254740993, \PHP_INT_MAX] as $id) {
            self::assertSame($table->keyspaceId($id), $table->keyspaceId((string) $id));
            self::assertSame($table->keyspaceId($id), $table->keyspaceId("00$id"));
        }
        self::assertSame($table->keyspaceId(9007199254740991), $table->keyspaceId(9007199254740991.0));
        self::assertSame($table->keyspaceId(1), $table->keyspaceId(true));
        self::assertSame('477cfa8d6d8f1f8d', \bin2hex($table->keyspaceId('18446744073709551615')));
        self::assertSame('40-80', $table->shard('18446744073709551615')->name);
        self::assertSame('c0-', $table->shard(1)->name);
    }

    /** @return iterable<string, array{string, mixed, string}> */
    public static function wrongKeys(): iterable
    {
        yield 'a float above 2^53' => ['typed', 9007199254740994.0, 'Table typed, column id: The float'];
        yield 'a negative unsigned number' => ['typed', -1, 'unsigned'];
        yield 'a word for a number' => ['typed', 'anna', 'no integer'];
        yield 'a number for a word' => ['text', 7, 'no string'];
        yield 'a space at the end' => ['text', 'anna ', 'ends with a space'];
        yield 'what is two keys' => ['untyped', '007', 'Give the column a type'];
        yield 'what is two keys, with an exponent' => ['untyped', '1e3', 'Give the column a type'];
        yield 'an array' => ['untyped', [], 'type array'];
    }

    #[DataProvider('wrongKeys')]
    public function testAKeyThatCouldBeOnTwoShardsIsRefused(string $table, mixed $key, string $message): void
    {
        $this->expectException(KeyException::class);
        $this->expectExceptionMessage($message);
        Keyspace::of(self::VSCHEMA, self::SHARDS)->table($table)->shard($key);
    }

    /** @return iterable<string, array{string|array<mixed>, array<array-key, string>, string}> */
    public static function wrong(): iterable
    {
        $table = static fn(array $table): array => ['sharded' => true, 'vindexes' => ['x' => ['type' => 'xxhash']], 'tables' => ['t' => $table]];
        yield 'an overlap' => [self::VSCHEMA, ['-80' => 'sqlite:a', '40-' => 'sqlite:b'], 'overlap'];
        yield 'a gap' => [self::VSCHEMA, ['-40' => 'sqlite:a', '80-' => 'sqlite:b'], 'leave a gap between the shard -40 and the shard 80-'];
        yield 'no beginning' => [self::VSCHEMA, ['40-' => 'sqlite:a'], 'leave a gap between the beginning'];
        yield 'no end' => [self::VSCHEMA, ['-40' => 'sqlite:a'], 'gap after the shard -40'];
        yield 'no shards' => [self::VSCHEMA, [], 'has no shards'];
        yield 'no range' => [self::VSCHEMA, ['first' => 'sqlite:a'], 'no key range'];
        yield 'an empty range' => [self::VSCHEMA, ['80-40' => 'sqlite:a'], 'holds nothing'];
        yield 'no DSN' => [self::VSCHEMA, ['-' => 'localhost'], 'no DSN'];
        yield 'no JSON' => ['{"sharded": tru}', ['-' => 'sqlite:a'], 'not valid JSON'];
        yield 'no file' => ['/nowhere/vschema.json', ['-' => 'sqlite:a'], 'no file that can be read'];
        yield 'an unknown key' => [['sharde' => true], ['-' => 'sqlite:a'], '"sharde", which is not known'];
        yield 'an unknown vindex' => [$table(['column_vindexes' => [['column' => 'id', 'name' => 'y']]]), ['-' => 'sqlite:a'], 'names the vindex "y"'];
        yield 'an unknown type of vindex' => [['vindexes' => ['x' => ['type' => 'z']]], ['-' => 'sqlite:a'], 'unknown type "z"'];
        yield 'no primary vindex' => [$table([]), ['-' => 'sqlite:a'], 'VT09001'];
        yield 'too many columns' => [$table(['column_vindexes' => [['columns' => ['a', 'b'], 'name' => 'x']]]), ['-' => 'sqlite:a'], 'is on 2 columns, but takes 1'];
        yield 'no sequence' => [$table(['column_vindexes' => [['column' => 'id', 'name' => 'x']], 'auto_increment' => ['column' => 'id', 'sequence' => 'main.s']]), ['-' => 'sqlite:a'], 'names the table main.s'];
        yield 'shards without being sharded' => [['tables' => []], ['-80' => 'sqlite:a', '80-' => 'sqlite:b'], 'does not say "sharded"'];
    }

    /**
     * @param string|array<mixed> $vschema
     * @param array<array-key, string> $shards
     */
    #[DataProvider('wrong')]
    public function testAWrongConfigurationIsASentenceWhenTheKeyspaceIsMade(string|array $vschema, array $shards, string $message): void
    {
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessage($message);
        Keyspace::of($vschema, $shards);
    }

    public function testAnUnknownTableAndAnOptionOutOfRangeAreSentences(): void
    {
        try {
            Keyspace::of(self::VSCHEMA, self::SHARDS)->table('nope');
            self::fail();
        } catch (ShardingException $error) {
            self::assertStringStartsWith('VT05005: the table nope is not in the keyspace main', $error->getMessage());
        }
        $this->expectExceptionMessage('connectionsPerHost must be from 1 to 100000, 0 given');
        new Options(connectionsPerHost: 0);
    }

    public function testAShardThatIsDownIsNamedWhenTheApplicationStarts(): void
    {
        Keyspace::of(self::VSCHEMA, self::SHARDS)->requireReachable();
        $keyspace = Keyspace::of(self::VSCHEMA, ['-40' => 'sqlite::memory:', '40-80' => 'mysql:unix_socket=/nowhere/one', '80-' => 'mysql:unix_socket=/nowhere/two']);
        $this->expectException(ConfigurationException::class);
        $this->expectExceptionMessageMatches('#Shards of the keyspace main cannot be reached.*40-80 \(mysql:unix_socket=/nowhere/one\): .*2002.*; 80- \(mysql:unix_socket=/nowhere/two\)#');
        $keyspace->requireReachable(1);
    }

    public function testEachGroupsKeysAndScatterLeavesOutWhatFails(): void
    {
        $table = Keyspace::of(self::VSCHEMA, self::SHARDS)->table('typed');
        $groups = $table->each([1, 2, 3, 4, 5, 6, 7, 8], static fn(\PDO $db, array $ids) => $ids)->results;
        $all = \array_merge(...\array_values($groups));
        \sort($all);
        self::assertSame([1, 2, 3, 4, 5, 6, 7, 8], $all);
        foreach ($groups as $shard => $ids) {
            foreach ($ids as $id) {
                self::assertSame($shard, $table->shard($id)->name);
            }
        }
        $found = $table->scatter(static fn(\PDO $db, $shard) => $shard->name === '80-c0' ? throw new \RuntimeException('down') : $shard->name, partial: true);
        self::assertSame(['-40', '40-80', 'c0-'], \array_values($found->results));
        self::assertSame('down', $found->errors['80-c0']->getMessage());
        $this->expectExceptionMessage('down');
        $table->scatter(static fn() => throw new \RuntimeException('down'));
    }

    public function testTheSeedsConfigurationBecomesAKeyspace(): void
    {
        $config = ['database' => 'user_%d', 'databases' => 100, 'tables' => 100, 'table_split' => 100, 'hosts' => ['0-49' => 'mysql:host=db1', '50-99' => new Address('mysql:host=db2', 'anna')]];
        $keyspace = LegacyConfiguration::keyspace($config, ['user' => 'uid']);
        $shard = $keyspace->table('user')->shard(543234678);
        self::assertSame(['mysql:host=db2;dbname=user_78', '004e-004f', 'user_46'], [$shard->address->dsn, $shard->name, $keyspace->table('user')->name('543234678')]);
        $this->expectExceptionMessage('No host range has the database 99');
        LegacyConfiguration::keyspace(['hosts' => ['0-98' => 'mysql:host=db1']] + $config, ['user' => 'uid']);
    }

    public function testSnowflakesAreNeverGivenTwiceAlsoWhenTheClockStepsBack(): void
    {
        $file = \tempnam(\sys_get_temp_dir(), 'sluice-snowflake-');
        $keyspace = static fn(): Keyspace => Keyspace::of(['tables' => []], ['-' => "sqlite:$file"]);
        $now = 1_800_000_000_000;
        $clock = static function () use (&$now): int {
            return $now;
        };
        $first = new Snowflake($keyspace(), nodes: 2, spanMs: 5, clock: $clock);
        $second = new Snowflake($keyspace(), nodes: 2, spanMs: 5, clock: $clock);
        $third = new Snowflake($keyspace(), nodes: 2, spanMs: 5, clock: $clock);
        $seen = [];
        $last = 0;
        foreach ([0, 1, -3000, 0, 7, 100, -50, 0] as $step) {
            $now += $step;
            for ($i = 0; $i < 1000; ++$i) {
                $id = $first->next();
                self::assertGreaterThan($last, $id);
                $last = $id;
                $seen[$id] = $seen[$second->next()] = $seen[$third->next()] = true;
            }
        }
        self::assertCount(8 * 1000 * 3, $seen);
        \unlink((string) $file);
    }

    public function testSequencesWithoutTheirRowAreASentence(): void
    {
        $keyspace = Keyspace::of(['tables' => ['s' => ['type' => 'sequence']]], ['-' => 'sqlite::memory:']);
        $this->expectException(\PDOException::class);
        (new Sequence($keyspace, 's'))->next();
    }
}
