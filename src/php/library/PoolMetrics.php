<?php

declare(strict_types=1);

namespace Sluice\Internal;

use Sluice\Metrics\{Counter, Gauge};
use Sluice\{Pool, Timer, Worker};

/**
 * What the admin listener shows of pools that have a name. Each worker tells of its own now and then.
 *
 * @internal
 */
final class PoolMetrics
{
    private const SECONDS = 0.5;

    /** @var list<array{pool: \WeakReference<Pool<mixed>>, name: string, max: int}> of this process, and of those that it was forked from */
    private static array $pools = [];

    private ?Timer $timer = null;
    private string $worker = '';
    /** @var array<string, array{size: int, idle: int, waiting: int, max: int}> what was shown last, by name */
    private array $shown = [];

    /**
     * @param Pool<mixed> $pool
     * @return Counter of waits that reach the pool's limit
     */
    public static function add(Pool $pool, string $name, int $max): Counter
    {
        self::$pools[] = ['pool' => \WeakReference::create($pool), 'name' => $name, 'max' => $max];
        return (new Counter('sluice_pool_timeouts', 'Waits for an item of a pool that have reached waitLimit.', ['pool']))->labels($name);
    }

    /** In a worker that is about to serve. */
    public function begin(): void
    {
        $this->worker = (string) Worker::current()->id;
        $this->show();
        $this->timer = Timer::every(self::SECONDS, $this->show(...));
    }

    /** The worker is told to end. */
    public function end(): void
    {
        $this->timer?->cancel();
    }

    private function show(): void
    {
        // Those that are gone have nothing any more.
        $now = \array_fill_keys(\array_keys($this->shown), ['size' => 0, 'idle' => 0, 'waiting' => 0, 'max' => 0]);
        foreach (self::$pools as $place => ['pool' => $reference, 'name' => $name, 'max' => $max]) {
            $pool = $reference->get();
            if ($pool === null) {
                unset(self::$pools[$place]);
                continue;
            }
            $stats = $pool->stats();
            $sums = $now[$name] ?? ['size' => 0, 'idle' => 0, 'waiting' => 0, 'max' => 0];
            $now[$name] = [
                'size' => $sums['size'] + $stats->size,
                'idle' => $sums['idle'] + $stats->idle,
                'waiting' => $sums['waiting'] + $stats->waiting,
                'max' => $sums['max'] + $max,
            ];
        }
        foreach ($now as $name => $sums) {
            if (($this->shown[$name] ?? null) !== $sums) {
                $this->tell((string) $name, $sums);
            }
        }
        $this->shown = $now;
    }

    /** @param array{size: int, idle: int, waiting: int, max: int} $sums */
    private function tell(string $name, array $sums): void
    {
        $items = new Gauge('sluice_pool_items', 'Items of a pool in a worker.', ['pool', 'worker', 'state']);
        $items->labels($name, $this->worker, 'idle')->set($sums['idle']);
        $items->labels($name, $this->worker, 'in_use')->set($sums['size'] - $sums['idle']);
        (new Gauge('sluice_pool_max_items', 'How many items a pool may have in a worker.', ['pool', 'worker']))->labels($name, $this->worker)->set($sums['max']);
        (new Gauge('sluice_pool_waiting', 'Coroutines of a worker that wait for an item of a pool.', ['pool', 'worker']))
            ->labels($name, $this->worker)->set($sums['waiting']);
    }
}
