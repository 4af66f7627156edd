<?php

declare(strict_types=1);

namespace Sluice\Shared;

/**
 * How often something may be done, by key, counted over all workers of a server: `$limit` times in `$seconds`, all at once or
 * evenly. Each key begins with all of them, and gets one back after every `$seconds / $limit` (the generic cell rate
 * algorithm: one time is kept for each key, and no list of what was done).
 *
 * Make it before run(): see Table, in which the times are kept, under the name `rate:` and this one's. When it is full, the key
 * that was not asked for longest begins anew: 128 bytes are needed for each key that is in use.
 */
final class RateLimiter
{
    private readonly Table $table;
    /** Nanoseconds of a token. */
    private readonly int $interval;
    /** Nanoseconds. */
    private readonly int $window;

    /**
     * @param string $name 1 to 59 letters, digits, dots, colons, dashes and underscores
     * @param int $limit 1 to 1,000,000,000 times
     * @param float $seconds 0.001 to 1e6
     * @param int $bytes of memory for all keys: 64 KiB to 64 GiB
     * @throws \ValueError
     * @throws \Sluice\ServerException in a worker, when the limiter was not made before run()
     */
    public function __construct(string $name, private readonly int $limit, float $seconds, int $bytes = 1 << 20)
    {
        if ($limit < 1 || $limit > 1_000_000_000) {
            throw new \ValueError("A limit of $limit times: it must be 1 to 1000000000");
        }
        if (!($seconds >= 0.001 && $seconds <= 1e6)) {
            throw new \ValueError("A limit for $seconds seconds: it must be for 0.001 to 1e6");
        }
        $this->window = (int) ($seconds * 1e9);
        $this->interval = max(1, intdiv($this->window, $limit));
        $this->table = new Table("rate:$name", $bytes, evict: true);
    }

    /**
     * Takes tokens if there are as many, and none otherwise.
     *
     * @param string $key whose: 1 to 1,024 bytes
     * @param int $tokens 1 to the limit
     */
    public function take(string $key, int $tokens = 1): RateDecision
    {
        if ($tokens < 1 || $tokens > $this->limit) {
            throw new \ValueError("$tokens tokens of \"$key\" at a time: it must be 1 to the limit, $this->limit");
        }
        do {
            $now = hrtime(true);
            // When all of them will be there again.
            $before = $this->table->get($key);
            $full = max($now, is_int($before) ? $before : 0) + $tokens * $this->interval;
            $over = $full - $now - $this->limit * $this->interval;
            if ($over > 0) {
                return new RateDecision(false, $this->left($full - $tokens * $this->interval - $now), $over / 1e9);
            }
        } while (!$this->table->compareAndSet($key, $before, $full, max(0.001, ($full - $now) / 1e9)));
        return new RateDecision(true, $this->left($full - $now), 0.0);
    }

    /** All of them are there again. */
    public function reset(string $key): void
    {
        $this->table->remove($key);
    }

    private function left(int $nanoseconds): int
    {
        return max(0, intdiv($this->limit * $this->interval - $nanoseconds, $this->interval));
    }
}
