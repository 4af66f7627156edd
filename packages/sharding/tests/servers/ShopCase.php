<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use PHPUnit\Framework\TestCase;
use Sluice\Sharding\{Keyspace, Options, PDO};
use Sluice\Sharding\Tests\rig\Shop;

/** A shop on four shards, two on each of two servers. */
abstract class ShopCase extends TestCase
{
    private const TABLES = [
        'CREATE TABLE users (id BIGINT UNSIGNED PRIMARY KEY, name VARCHAR(40), email VARCHAR(80) COLLATE utf8mb4_bin, balance INT NOT NULL DEFAULT 0)',
        'CREATE TABLE orders (id BIGINT PRIMARY KEY, user_id BIGINT UNSIGNED NOT NULL, total DECIMAL(10,2))',
        'CREATE TABLE countries (code CHAR(2) PRIMARY KEY, name VARCHAR(40))',
        'CREATE TABLE user_by_email (email VARCHAR(80) COLLATE utf8mb4_bin PRIMARY KEY, keyspace_id VARBINARY(16) NOT NULL)',
    ];
    private const VSCHEMA = [
        'sharded' => true,
        'vindexes' => [
            'xxhash' => ['type' => 'xxhash'],
            'by_email' => ['type' => 'consistent_lookup_unique', 'params' => ['table' => 'user_by_email', 'from' => 'email', 'to' => 'keyspace_id'], 'owner' => 'users'],
        ],
        'tables' => [
            'users' => [
                'column_vindexes' => [['column' => 'id', 'name' => 'xxhash'], ['column' => 'email', 'name' => 'by_email']],
                'columns' => [['name' => 'id', 'type' => 'UINT64'], ['name' => 'email', 'type' => 'VARCHAR']],
                'auto_increment' => ['column' => 'id', 'sequence' => 'numbers.user_seq'],
            ],
            'orders' => ['column_vindexes' => [['column' => 'user_id', 'name' => 'xxhash']], 'columns' => [['name' => 'user_id', 'type' => 'UINT64']]],
            'user_by_email' => ['column_vindexes' => [['column' => 'email', 'name' => 'xxhash']], 'columns' => [['name' => 'email', 'type' => 'VARCHAR']]],
            'countries' => ['type' => 'reference'],
        ],
    ];
    protected Keyspace $shop;
    protected PDO $db;

    protected function setUp(): void
    {
        $this->open(new Options());
    }

    protected function open(Options $options): void
    {
        $numbers = Keyspace::of(['tables' => ['user_seq' => ['type' => 'sequence']]], Shop::shards('numbers', 1, [
            'CREATE TABLE user_seq (id INT PRIMARY KEY, next_id BIGINT, cache BIGINT) COMMENT = \'vitess_sequence\'',
            'INSERT INTO user_seq VALUES (0, 1, 3)',
        ]), name: 'numbers');
        $this->shop = Keyspace::of(self::VSCHEMA, Shop::shards('shop', 4, self::TABLES), $options, others: [$numbers]);
        $this->db = new PDO($this->shop);
    }

    /** @param list<int> $ids */
    protected function users(array $ids): void
    {
        foreach ($ids as $id) {
            $this->db->prepare('INSERT INTO users (id, name, email, balance) VALUES (?, ?, ?, 100)')->execute([$id, "user $id", "u$id@example.org"]);
        }
    }

    /** @return array<mixed> */
    protected function all(string $sql, mixed ...$parameters): array
    {
        $statement = $this->db->prepare($sql);
        $statement->execute(\array_values($parameters));
        return $statement->fetchAll(\PDO::FETCH_NUM);
    }

    /** @return list<int> ids that are on four different shards */
    protected function onFourShards(): array
    {
        $ids = [];
        for ($id = 1; \count($ids) < 4; ++$id) {
            $ids[$this->shop->table('users')->shard($id)->name] ??= $id;
        }
        return \array_values($ids);
    }
}
