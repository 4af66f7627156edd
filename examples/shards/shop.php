<?php

declare(strict_types=1);

/**
 * A shop over four shards, which shows where each row went: http://127.0.0.1:8080/
 *
 * `tools/install-packages`, then `make run SCRIPT=examples/shards/shop.php`. It starts four MariaDB for itself; where MariaDB is not
 * installed, four files of SQLite stand in. For other servers SHARDS has their four DSNs with `|` between
 * (`mysql:host=db1;dbname=shop_0|…`), and SHARDS_USER and SHARDS_PASSWORD say who asks. An order:
 *
 *     curl http://127.0.0.1:8080/orders -d '{"customer": 7, "item": "tea", "cents": 250}'
 */

use Sluice\Http\{BadRequest, Request, Response};
use Sluice\Server;
use Sluice\Sharding\{Address, Keyspace, PDO};

foreach ([__DIR__ . '/../../build/packages/vendor/autoload.php', __DIR__ . '/../../vendor/autoload.php'] as $autoload) {
    if (\is_file($autoload)) {
        require_once $autoload;
    }
}

$dsns = \array_filter(\explode('|', (string) \getenv('SHARDS')));
[$user, $password] = [\getenv('SHARDS_USER') ?: null, \getenv('SHARDS_PASSWORD') ?: null];
if ($dsns === []) {
    /** @var list<string> $dsns */
    $dsns = require __DIR__ . '/databases.php';
    $user = 'root';
}
if ($dsns === []) {
    $folder = \sys_get_temp_dir() . '/sluice-shop-' . \getmypid();
    \mkdir($folder);
    \register_shutdown_function(static function (int $owner) use ($folder): void {
        if (\getmypid() === $owner) {
            \array_map(unlink(...), \glob("$folder/*") ?: []);
            \rmdir($folder);
        }
    }, \getmypid());
    $dsns = \array_map(static fn(int $i) => "sqlite:$folder/shop_$i.sqlite", \range(0, 3));
}
if (\count($dsns) !== 4) {
    throw new RuntimeException('SHARDS must have four DSNs with | between, ' . \count($dsns) . ' given.');
}
$names = ['-40', '40-80', '80-c0', 'c0-'];
$key = static fn(string $column) => ['column_vindexes' => [['column' => $column, 'name' => 'xxhash']], 'columns' => [['name' => $column, 'type' => 'INT64']]];
$shop = Keyspace::of(
    ['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash']], 'tables' => ['customers' => $key('id'), 'orders' => $key('customer_id')]],
    \array_map(static fn(string $dsn) => new Address($dsn, $user, $password), \array_combine($names, $dsns)),
);
$shop->table('customers')->scatter(static function (\PDO $db): void {
    $db->exec('CREATE TABLE IF NOT EXISTS customers (id BIGINT PRIMARY KEY, name VARCHAR(40))');
    $db->exec('CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY, customer_id BIGINT, item VARCHAR(40), cents INTEGER)');
});

$server = new Server(workers: 2);
$site = $server->http(\getenv('SLUICE_ADDRESS') ?: '127.0.0.1:8080', static function (Request $request, Response $response) use ($shop): void {
    // Each shard's rows, with plain PDO.
    $shards = $shop->table('customers')->scatter(static function (\PDO $db): array {
        $statement = $db->prepare('SELECT id, name FROM customers ORDER BY id');
        $statement->execute();
        return $statement->fetchAll(\PDO::FETCH_ASSOC);
    });
    // All shards, merged.
    $best = (new PDO($shop))->query('/*vt+ ALLOW_SCATTER=1 */ SELECT item, COUNT(*) AS sold, SUM(cents) AS cents FROM orders GROUP BY item ORDER BY cents DESC LIMIT 3');
    $response->json(['shards' => \iterator_to_array($shards), 'best' => $best->fetchAll(\PDO::FETCH_ASSOC)]);
});
$site->post('/orders', static function (Request $request, Response $response) use ($shop): void {
    $order = $request->json();
    $customer = \is_array($order) && \is_int($order['customer'] ?? null) ? $order['customer'] : throw new BadRequest('customer must be a number');
    $db = new PDO($shop);
    // Customer and order have one key, so they are on one shard, and in one transaction.
    $db->beginTransaction();
    if ($db->query('SELECT 1 FROM customers WHERE id = ' . $customer)->fetchColumn() === false) {
        $db->prepare('INSERT INTO customers (id, name) VALUES (?, ?)')->execute([$customer, "customer $customer"]);
    }
    $db->prepare('INSERT INTO orders (id, customer_id, item, cents) VALUES (?, ?, ?, ?)')->execute([\hrtime(true), $customer, $order['item'] ?? '', $order['cents'] ?? 0]);
    $db->commit();
    $response->json(['shard' => $shop->table('customers')->shard($customer)->name]);
});
$server->run();
