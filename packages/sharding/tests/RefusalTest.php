<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, DataProvider};
use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Keyspace, Options, PDO, RefusedException};

/** Whatever is refused is refused before a shard is touched, and the message has Vitess's code, table, column, what helps, and who called. No shard is there to be touched. */
#[CoversNothing]
final class RefusalTest extends TestCase
{
    /** @return iterable<string, array{\Closure(Keyspace, PDO): mixed, string, list<string>, string}> what is called, Vitess's code, what it is about, and what helps */
    public static function refused(): iterable
    {
        $sql = static fn(string $sql, mixed ...$values): \Closure => static fn(Keyspace $shop, PDO $db) => $db->prepare($sql)->execute(\array_values($values));
        $core = static fn(string $table, mixed ...$key): \Closure => static fn(Keyspace $shop) => $shop->table($table)->shard(...$key);
        yield 'an unknown table' => [$sql('SELECT * FROM nope WHERE id = 1'), 'VT05005', ['nope'], 'Add it to the VSchema'];
        yield 'an unknown table of the core' => [$core('nope', 1), 'VT05005', ['nope'], 'Add it to the VSchema'];
        yield 'an unknown database' => [$sql('USE nowhere'), 'VT05003', ['nowhere'], 'Known is main'];
        yield 'a query without its key' => [$sql('SELECT * FROM users WHERE age = ?', 5), 'VT12001', ['users.id'], 'ALLOW_SCATTER=1'];
        yield 'an update without its key' => [$sql('UPDATE users SET age = 6'), 'VT12001', ['users.id'], 'ALLOW_SCATTER=1'];
        yield 'a delete without its key' => [$sql('DELETE FROM users'), 'VT12001', ['users.id'], 'ALLOW_SCATTER=1'];
        yield 'an update of the key' => [$sql('UPDATE users SET id = 2 WHERE id = 1'), 'VT12001', ['users.id'], 'Insert the row with its new key'];
        yield 'a row without its key' => [$sql('INSERT INTO users (age) VALUES (5)'), 'VT09003', ['users', "'id'"], 'Give the row its key'];
        yield 'a row without columns' => [$sql('INSERT INTO users VALUES (5)'), 'VT09004', ['users'], 'Write the columns'];
        yield 'a row of another length' => [$sql('INSERT INTO users (id, age) VALUES (5)'), 'VT03006', ['users'], 'Give each column a value'];
        yield 'a key that is not bound' => [$sql('SELECT * FROM users WHERE id = ?'), 'VT03026', ['Table users, column id', 'number 1'], 'bindValue()'];
        yield 'a row whose key is not bound' => [$sql('INSERT INTO users (id) VALUES (:id)'), 'VT03026', ['Table users, column id', ':id'], 'bindValue()'];
        yield 'a word for a number' => [$sql('SELECT * FROM users WHERE id = ?', 'anna'), 'VT09023', ['Table users, column id', '"anna"'], 'Allowed are int'];
        yield 'a word for a number in a row' => [$sql('INSERT INTO users (id) VALUES (?)', 'anna'), 'VT09023', ['Table users, column id', '"anna"'], 'Allowed are int'];
        yield 'a word for a number of the core' => [$core('users', 'anna'), 'VT09023', ['Table users, column id', '"anna"'], 'Allowed are int'];
        yield 'a float beyond 2^53' => [$core('users', 9007199254740994.0), 'VT09023', ['Table users, column id'], 'Give the id as an int'];
        yield 'more than 64 bits' => [$sql('SELECT * FROM users WHERE id IN (1, ?)', '18446744073709551616'), 'VT09023', ['Table users, column id'], 'Allowed are -9223372036854775808'];
        yield 'a negative number for numeric' => [$core('events', -1), 'VT09023', ['Table events, column at'], 'Take hash or xxhash'];
        yield 'a range on all shards' => [$sql('SELECT * FROM events WHERE at > ?', 5), 'VT12001', ['events.at'], 'ALLOW_SCATTER=1'];
        yield 'a bound that is no number' => [$sql('SELECT * FROM events WHERE at > ?', 'noon'), 'VT09023', ['Table events, column at', '"noon"'], 'Allowed are int'];
        yield 'an array as a key' => [$core('users', []), 'VT09023', ['Table users, column id', 'array'], 'Allowed are int'];
        yield 'no key' => [$core('users'), 'VT09023', ['Table users, column id', '0 given'], 'Give one for each column'];
        yield 'a key of two' => [$core('users', 1, 2), 'VT09023', ['Table users, column id', '2 given'], 'Give one for each column'];
        yield 'a number for a word' => [$sql('SELECT * FROM names WHERE name = 5'), 'VT09023', ['Table names, column name'], 'Give a string'];
        yield 'two keys on two shards' => [$sql('SELECT * FROM users u JOIN orders o WHERE u.id = ? AND o.user_id = ?', 1, 2), 'VT12001', ['c0-', '80-c0'], 'Ask one after the other'];
        yield 'tables that need not be together' => [$sql('SELECT * FROM users u JOIN orders o ON o.id = u.id WHERE u.id = 1'), 'VT12001', ['orders'], 'equality of their sharding keys'];
        yield 'a sub-query without its key' => [$sql('SELECT * FROM users WHERE id = 1 AND age = (SELECT MAX(id) FROM orders)'), 'VT12001', ['orders'], 'give it the key'];
        yield 'an unknown directive' => [$sql('/*vt+ ALLOW_SCATER=1 */ SELECT * FROM users'), 'VT12001', ['ALLOW_SCATER'], 'Known are ALLOW_SCATTER'];
        yield 'DDL' => [$sql('ALTER TABLE users ADD x INT'), 'VT12001', ['ALTER TABLE users'], 'sluice shard migrate'];
        yield 'a setting' => [$sql('SET SESSION sql_mode = ""'), 'VT12001', ['SET'], 'Options::$prepare'];
        yield 'a write to replicas' => [static function (Keyspace $shop, PDO $db): void {
            $db->exec('USE main@replica');
            $db->exec('UPDATE users SET age = 1 WHERE id = 1');
        }, 'VT09002', ['users'], 'without @replica'];
    }

    /**
     * @param \Closure(Keyspace, PDO): mixed $call
     * @param list<string> $about
     */
    #[DataProvider('refused')]
    public function testARefusalSaysWhatAndWhereAndWhatHelpsAndTouchesNoShard(\Closure $call, string $code, array $about, string $remedy): void
    {
        $key = static fn(string $column, string $vindex, string $type): array => ['column_vindexes' => [['column' => $column, 'name' => $vindex]], 'columns' => [['name' => $column, 'type' => $type]]];
        $log = [];
        $shop = Keyspace::of(
            ['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash'], 'numeric' => ['type' => 'numeric']], 'tables' => [
                'users' => $key('id', 'xxhash', 'INT64'), 'orders' => $key('user_id', 'xxhash', 'INT64'), 'names' => $key('name', 'xxhash', 'VARCHAR'), 'events' => $key('at', 'numeric', 'INT64'),
            ]],
            ['-40' => 'mysql:host=nowhere', '40-80' => 'mysql:host=nowhere', '80-c0' => 'mysql:host=nowhere', 'c0-' => 'mysql:host=nowhere'],
            new Options(log: static function (string $line) use (&$log): void {
                $log[] = $line;
            }),
        );
        try {
            $call($shop, new PDO($shop));
            self::fail('it was not refused');
        } catch (RefusedException $error) {
            self::assertSame($code, $error->vitessCode);
            self::assertStringStartsWith("$code: ", $error->getMessage());
            foreach ([...$about, $remedy] as $part) {
                self::assertStringContainsString($part, $error->getMessage());
            }
            self::assertMatchesRegularExpression('/\A' . \preg_quote(__FILE__, '/') . ':\d+\z/', $error->callSite);
            self::assertStringEndsWith(" Called at $error->callSite.", $error->getMessage());
            self::assertContains($log, [[], ["refused: {$error->getMessage()}"]]);
        }
        self::assertSame([], $shop->figures->shards(), 'a shard was touched');
    }
}
