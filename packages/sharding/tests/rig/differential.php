<?php

declare(strict_types=1);

/**
 * Random schemas, rows and queries against one database that holds all rows and against four shards: equal results, or a refusal.
 *
 *     SHARD_DSNS='mysql:host=127.0.0.1;port=3306' php differential.php [queries] [seed]
 *
 * Each tenth is a statement that changes rows, after which all rows are compared. A result that is wrong ends it with status 1. Refusals are counted by their reason.
 */

namespace Sluice\Sharding\Tests\rig;

use Sluice\Sharding\Sql\Unsupported;

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$queries = (int) ($argv[1] ?? 1000);
$seed = (int) ($argv[2] ?? 1);
$perSchema = 500;
$equal = 0;
$empty = 0;
$changes = 0;
$refusedChanges = 0;
/** @var array<string, int> $refused */
$refused = [];
/** @var list<string> $wrong */
$wrong = [];
for ($done = 0, $round = 0; $done < $queries && \count($wrong) < 10; ++$round) {
    $world = new World($seed * 100_000 + $round);
    for ($i = 0; $i < $perSchema && $done < $queries; ++$i, ++$done) {
        if ($i % 10 === 9) {
            $change = $world->change();
            try {
                $found = $world->execute($world->sharded, $change, true);
            } catch (Unsupported) {
                ++$refusedChanges;
                continue;
            }
            ++$changes;
            $expected = $world->execute($world->oracle, $change, false);
            foreach (['t', 'u'] as $table) {
                $expected .= ' ' . $world->rows($world->oracle, $table, false);
                $found .= ' ' . $world->rows($world->sharded, $table, true);
            }
            if ($expected !== $found) {
                $at = \strspn($expected ^ $found, "\0");
                $wrong[] = "seed $seed, round $round, change $i: {$change->sql} " . \json_encode($change->parameters) . "\n  one database: " . \substr($expected, 0, 20) . '…' . \substr($expected, \max(0, $at - 60), 200)
                    . "\n  four shards:  " . \substr($found, 0, 20) . '…' . \substr($found, \max(0, $at - 60), 200);
                break;  // What follows would be wrong, too.
            }
            continue;
        }
        $query = $world->query();
        $expected = $world->ask($world->oracle, $query, false);
        try {
            $found = $world->ask($world->sharded, $query, true);
        } catch (Unsupported $error) {
            $reason = (string) \preg_replace('/"[^"]*"|\([^)]*\)/', '…', $error->what);
            $refused[$reason] = ($refused[$reason] ?? 0) + 1;
            continue;
        }
        if ($expected === $found) {
            ++$equal;
            $empty += $expected === '[]' ? 1 : 0;
        } else {
            $wrong[] = "seed $seed, round $round, query $i: {$query->sql} " . \json_encode($query->parameters) . "\n  one database: " . \substr($expected, 0, 400) . "\n  four shards:  " . \substr($found, 0, 400);
        }
    }
    $world->drop();
}
\arsort($refused);
foreach ($refused as $reason => $count) {
    echo "refused $count: $reason\n";
}
foreach ($wrong as $line) {
    echo "WRONG $line\n";
}
echo "$done statements: $equal queries equal ($empty of them empty), " . \array_sum($refused) . " refused; $changes changes, $refusedChanges refused; " . \count($wrong) . " wrong\n";
exit($wrong === [] ? 0 : 1);
