<?php

declare(strict_types=1);

// What sharding costs: php sharding.php make|route|query|scatter|many <servers' DSNs, | between>
// `make` makes the databases; the others print one line of JSON with what is compared, measured in turn.

use Sluice\Coroutine;
use Sluice\Pool;
use Sluice\Sharding\{Address, Keyspace, Options, PDO as ShardedPdo};

require dirname(__DIR__) . '/build/packages/vendor/autoload.php';

const SHARDS = 1000;
const AT_ONCE = 40;
const QUERY = 'SELECT name FROM users WHERE id = ?';

$dsns = explode('|', $argv[2]);

/** So many shards over the servers. */
function keyspace(array $dsns, int $count): Keyspace
{
    $shards = [];
    for ($i = 0; $i < $count; ++$i) {
        [$from, $to] = [intdiv($i * 65536, $count), intdiv(($i + 1) * 65536, $count)];
        $name = ($i === 0 ? '' : sprintf('%04x', $from)) . '-' . ($i === $count - 1 ? '' : sprintf('%04x', $to));
        $shards[$name] = new Address($dsns[$i % count($dsns)] . ";dbname=bench$i", 'sluice', 'secret');
    }
    $users = ['column_vindexes' => [['column' => 'id', 'name' => 'xxhash']], 'columns' => [['name' => 'id', 'type' => 'UINT64']]];
    return Keyspace::of(['sharded' => true, 'vindexes' => ['xxhash' => ['type' => 'xxhash']], 'tables' => ['users' => $users]], $shards, new Options(connectionsPerHost: 10, connections: AT_ONCE));
}

function connect(string $dsn): PDO
{
    return new PDO($dsn, 'sluice', 'secret', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
}

/** CPU µs of this process for each of $count calls. */
function cpu_us(int $count, Closure $call): float
{
    $cpu = static fn(array $usage): float => ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    $before = $cpu(getrusage());
    for ($i = 0; $i < $count; ++$i) {
        $call($i);
    }
    return ($cpu(getrusage()) - $before) / $count;
}

/** The 99th percentile in ms of $count calls, AT_ONCE at a time. */
function p99_ms(int $count, Closure $call): float
{
    $took = [];
    Coroutine\map(range(1, $count), static function (int $id) use ($call, &$took): void {
        $began = hrtime(true);
        $call($id);
        $took[] = (hrtime(true) - $began) / 1e6;
    }, AT_ONCE);
    sort($took);
    return $took[(int) ($count * 0.99)];
}

function prepared(PDO $db, int $id): array
{
    $statement = $db->prepare(QUERY);
    $statement->execute([$id]);
    return $statement->fetchAll(PDO::FETCH_NUM);
}

echo json_encode(match ($argv[1]) {
    'make' => (static function () use ($dsns): int {
        for ($i = 0; $i < SHARDS; ++$i) {
            $db = connect($dsns[$i % count($dsns)]);
            $db->exec("CREATE DATABASE bench$i");
            $db->exec("CREATE TABLE bench$i.users (id BIGINT UNSIGNED PRIMARY KEY, name VARCHAR(20)) ENGINE = MEMORY");
        }
        return SHARDS;
    })(),
    'route' => (static function () use ($dsns): array {
        $users = keyspace($dsns, 16)->table('users');
        return ['us' => cpu_us(500_000, static fn(int $i) => $users->shard($i))];
    })(),
    'query' => (static function () use ($dsns): array {
        $keyspace = keyspace([$dsns[0]], 1);
        $sharded = new ShardedPdo($keyspace);
        $plain = connect("$dsns[0];dbname=bench0");
        $took = [];
        for ($round = 0; $round < 6; ++$round) {
            $took['sharded'][] = cpu_us(3000, static fn(int $i) => prepared($sharded, $i));
            $took['plain'][] = cpu_us(3000, static fn(int $i) => prepared($plain, $i));
        }
        return array_map(min(...), $took);
    })(),
    'scatter' => Coroutine\run(static function () use ($dsns): array {
        $users = keyspace($dsns, 16)->table('users');
        $ask = static fn(PDO $db) => $db->query('SELECT SLEEP(0.005)')->fetchColumn();
        $ms = static function (Closure $call): float {
            $took = [];
            for ($i = 0; $i < 30; ++$i) {
                $began = hrtime(true);
                $call();
                $took[] = (hrtime(true) - $began) / 1e6;
            }
            sort($took);
            return $took[15];
        };
        $users->scatter($ask);
        return ['scatter' => $ms(static fn() => $users->scatter($ask)), 'one' => $ms(static fn() => $users->shard(1)->use($ask))];
    }),
    'many' => Coroutine\run(static function () use ($dsns): array {
        $keyspace = keyspace($dsns, SHARDS);
        $pools = array_map(static fn(string $dsn) => new Pool(static fn() => connect("$dsn;dbname=bench" . array_search($dsn, $dsns, true)), max: 10), $dsns);
        $plain = static fn(int $id) => $pools[$id % count($pools)]->use(static fn(PDO $db) => prepared($db, $id));
        $routed = static fn(int $id) => prepared(new ShardedPdo($keyspace), $id);
        p99_ms(400, $plain);
        p99_ms(400, $routed);
        return ['routed' => p99_ms(8000, $routed), 'plain' => p99_ms(8000, $plain)];
    }),
}), "\n";
