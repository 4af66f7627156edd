<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\{Ask, Keyspace, Options};
use Sluice\Sharding\PDO as ShardedPdo;

/** A random schema with random rows, once in one database and once on four shards. */
final class World
{
    private const TYPES = [
        'INT', 'BIGINT UNSIGNED', 'SMALLINT', 'DECIMAL(12,3)', 'DECIMAL(20,0) UNSIGNED', 'DATE', 'DATETIME(3)', 'TIME', 'DOUBLE', 'FLOAT', "ENUM('low','Mid','high')", 'VARBINARY(12)',
        'VARCHAR(20) COLLATE utf8mb4_general_ci', 'VARCHAR(20) COLLATE utf8mb4_unicode_ci', 'VARCHAR(20) COLLATE utf8mb4_bin', 'VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci',
        'VARCHAR(20) COLLATE utf8mb4_general_nopad_ci', 'CHAR(10) COLLATE utf8mb4_unicode_520_ci', 'TEXT COLLATE utf8mb4_unicode_ci',
    ];
    private const WORDS = ['a', 'A', 'ä', 'Ä', 'a ', 'b', 'ab', 'aB', 'éa', 'ea', 'zz', 'Z', '', ' ', "a\t", 'ß', 'ss', 'Straße', '10', '9', '-1', '0x1f', 'ñ', 'n'];
    public readonly \PDO $oracle;
    public readonly ShardedPdo $sharded;
    private readonly Keyspace $keyspace;
    /** @var array<string, string> columns of `t` apart from its keys, to their types */
    private array $columns = [];
    /** @var list<string> */
    private array $ids = [];
    private readonly string $prefix;
    private readonly Fetches $fetches;
    private readonly bool $isOrdered;
    private int $asked = 0;

    public function __construct(int $seed)
    {
        \mt_srand($seed);
        $this->prefix = 'rig' . \getmypid() . '_';
        for ($i = 0; $i < 7; ++$i) {
            $this->columns["c$i"] = self::TYPES[\mt_rand(0, \count(self::TYPES) - 1)];
        }
        $definition = '';
        foreach ($this->columns as $name => $type) {
            $definition .= ", $name $type NULL";
        }
        $tables = [
            "CREATE TABLE t (id BIGINT UNSIGNED PRIMARY KEY, grp INT NOT NULL, code CHAR(2) NULL$definition)",
            'CREATE TABLE u (uid BIGINT UNSIGNED NOT NULL, no INT NOT NULL, v DECIMAL(10,2) NULL, PRIMARY KEY (uid, no))',
            'CREATE TABLE r (code CHAR(2) PRIMARY KEY, label VARCHAR(20) NULL)',
        ];
        // With numeric, which keeps the order, ranges of the key have shards of their own.
        $this->isOrdered = \mt_rand(0, 2) === 0;
        $vindex = $this->isOrdered ? 'numeric' : 'xxhash';
        $this->keyspace = Shop::keyspace("{$this->prefix}s", 4, $tables, [
            't' => ['column_vindexes' => [['column' => 'id', 'name' => $vindex]], 'columns' => [['name' => 'id', 'type' => 'UINT64']]],
            'u' => ['column_vindexes' => [['column' => 'uid', 'name' => $vindex]], 'columns' => [['name' => 'uid', 'type' => 'UINT64']]],
            'r' => ['type' => 'reference'],
        ], new Options(plans: 100));
        $this->sharded = new ShardedPdo($this->keyspace);
        $this->oracle = Shop::connect(Shop::dsns()[0] . ';charset=utf8mb4');
        $this->oracle->exec("DROP DATABASE IF EXISTS {$this->prefix}o");
        $this->oracle->exec("CREATE DATABASE {$this->prefix}o CHARACTER SET utf8mb4");
        $this->oracle->exec("USE {$this->prefix}o");
        foreach ($tables as $table) {
            $this->oracle->exec($table);
        }
        $this->fetches = new Fetches();
        $this->fill();
    }

    public function drop(): void
    {
        $this->oracle->exec("DROP DATABASE {$this->prefix}o");
        foreach ($this->keyspace->shards() as $shard) {
            $shard->use(static fn(\PDO $db) => $db->exec('DROP DATABASE ' . $shard->address->database));
        }
    }

    public function query(): Query
    {
        return (new Queries($this->columns, $this->ids))->next();
    }

    /** The result as text. */
    public function ask(\PDO $db, Query $query, bool $isSharded): string
    {
        if ($isSharded) {
            // By turns all rows are in memory before the first one is given, or come as they are fetched.
            $this->sharded->setAttribute(\PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, ++$this->asked % 2 === 0);
        }
        return $this->fetches->text($this->statement($db, $query, $isSharded), $query);
    }

    public function change(): Query
    {
        return (new Changes($this->columns, $this->ids))->next();
    }

    /** How many rows it has changed, or that it has failed. */
    public function execute(\PDO $db, Query $change, bool $isSharded): string
    {
        try {
            return $this->statement($db, $change, $isSharded)->rowCount() . ' rows';
        } catch (\PDOException $error) {
            return 'error ' . Ask::int($error->errorInfo[1] ?? 0);
        }
    }

    /** All rows of a table. */
    public function rows(\PDO $db, string $table, bool $isSharded): string
    {
        $key = $table === 't' ? 'id' : 'uid, no';
        return \json_encode($this->statement($db, new Query("SELECT * FROM $table ORDER BY $key", [], true), $isSharded)->fetchAll(\PDO::FETCH_NUM), \JSON_THROW_ON_ERROR | \JSON_INVALID_UTF8_SUBSTITUTE);
    }

    private function statement(\PDO $db, Query $query, bool $isSharded): \PDOStatement
    {
        $prefix = $isSharded ? '/*vt+ ALLOW_SCATTER=1 */ ' : '';
        if ($query->parameters === []) {
            $statement = $db->query($prefix . $query->sql);
            \assert($statement !== false);
        } else {
            $statement = $db->prepare($prefix . $query->sql);
            foreach ($query->parameters as $i => $value) {
                $statement->bindValue($i + 1, $value, \is_int($value) ? \PDO::PARAM_INT : ($value === null ? \PDO::PARAM_NULL : \PDO::PARAM_STR));
            }
            $statement->execute();
        }
        return $statement;
    }

    private function fill(): void
    {
        $names = \array_keys($this->columns);
        $mark = static fn(int $count): string => '(' . \implode(', ', \array_fill(0, $count, '?')) . ')';
        $insertT = 'INSERT INTO t (id, grp, code, ' . \implode(', ', $names) . ') VALUES ' . $mark(\count($names) + 3);
        $insertU = 'INSERT INTO u (uid, no, v) VALUES ' . $mark(3);
        foreach (['de' => 'Germany', 'fr' => 'France', 'us' => null] as $code => $label) {
            foreach ([$this->oracle, $this->sharded] as $db) {
                $db->prepare('INSERT INTO r (code, label) VALUES (?, ?)')->execute([$code, $label]);
            }
        }
        $special = ['0', '1', '9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775807', '9223372036854775808', '18446744073709551614', '18446744073709551615'];
        foreach ([$this->oracle, $this->sharded] as $db) {
            $db->beginTransaction(...($db instanceof ShardedPdo ? [\Sluice\Sharding\TransactionMode::Ordered] : []));
        }
        for ($i = 0; $i < 60; ++$i) {
            $id = $special[$i] ?? ($this->isOrdered ? \sprintf('%u', \mt_rand(\PHP_INT_MIN, \PHP_INT_MAX)) : (string) \mt_rand(2, 1_000_000_000));
            if (\in_array($id, $this->ids, true)) {
                continue;
            }
            $this->ids[] = $id;
            $row = [$id, \mt_rand(0, 5), [null, 'de', 'fr', 'us', 'xx'][\mt_rand(0, 4)]];
            foreach ($this->columns as $type) {
                $row[] = self::value($type);
            }
            foreach ([$this->oracle, $this->sharded] as $db) {
                $db->prepare($insertT)->execute($row);
            }
            for ($no = \mt_rand(0, 3); $no > 0; --$no) {
                $value = \mt_rand(0, 3) === 0 ? null : \mt_rand(-500, 500) / 100;
                foreach ([$this->oracle, $this->sharded] as $db) {
                    $db->prepare($insertU)->execute([$id, $no, $value]);
                }
            }
        }
        $this->oracle->commit();
        $this->sharded->commit();
    }

    public static function value(string $type): int|string|null
    {
        if (\mt_rand(0, 5) === 0) {
            return null;
        }
        $small = \mt_rand(0, 1) === 0;
        return match (\strtok($type, ' (')) {
            'INT' => $small ? \mt_rand(-5, 5) : \mt_rand(-2_000_000_000, 2_000_000_000),
            'SMALLINT' => \mt_rand(-3, 3),
            'BIGINT' => $small ? \mt_rand(0, 5) : ['9223372036854775808', '18446744073709551615', '9223372036854775807', '9007199254740993'][\mt_rand(0, 3)],
            'DECIMAL' => \str_contains($type, 'UNSIGNED') ? ($small ? \mt_rand(0, 20) : '98765432109876543' . \mt_rand(100, 999)) : \mt_rand(-3000, 3000) / 1000 . '',
            'DATE' => \sprintf('20%02d-%02d-%02d', \mt_rand(0, 3), \mt_rand(1, 3), \mt_rand(1, 28)),
            'DATETIME' => \sprintf('2001-01-%02d %02d:00:00.%03d', \mt_rand(1, 3), \mt_rand(0, 2), \mt_rand(0, 2)),
            'TIME' => \sprintf('%s%02d:%02d:00', $small ? '-' : '', \mt_rand(0, 120), \mt_rand(0, 59)),
            'DOUBLE', 'FLOAT' => (string) (\mt_rand(-8, 8) / 4),
            "ENUM" => ['low', 'Mid', 'high'][\mt_rand(0, 2)],
            'VARBINARY' => \substr(\md5((string) \mt_rand(0, 12), true), 0, 4),
            default => \str_contains($type, 'latin1') ? \str_replace('ẞ', '', self::WORDS[\mt_rand(0, \count(self::WORDS) - 1)]) : self::WORDS[\mt_rand(0, \count(self::WORDS) - 1)],
        };
    }
}
