<?php

declare(strict_types=1);

namespace Sluice\Laravel\RateLimiting;

use Illuminate\Cache\RateLimiter;
use Sluice\Laravel\Cache\TableStore;

/**
 * Laravel's rate limiter on a cache store `sluice`. It looks at a limit and counts in one step, so that no more pass than may, however many ask at once in however many
 * workers.
 */
final class TableRateLimiter extends RateLimiter
{
    /** A limiter with this one's store and limits, when the store is a table; otherwise this one. */
    public static function of(RateLimiter $limiter): RateLimiter
    {
        if ($limiter instanceof self || !$limiter->cache->getStore() instanceof TableStore) {
            return $limiter;
        }
        $own = new self($limiter->cache);
        $own->limiters = $limiter->limiters;
        return $own;
    }

    /**
     * Counts an attempt, unless there were as many as may be.
     *
     * @param \DateTimeInterface|\DateInterval|int $decaySeconds
     * @return bool false: there were
     */
    public function take(string $key, int $maxAttempts, $decaySeconds = 60): bool
    {
        return !$this->tooManyAttempts($key, $maxAttempts) && $this->hit($key, $decaySeconds) <= $maxAttempts;
    }

    /**
     * @param string $key
     * @param int $maxAttempts
     * @param \DateTimeInterface|\DateInterval|int $decaySeconds
     */
    public function attempt($key, $maxAttempts, \Closure $callback, $decaySeconds = 60): mixed
    {
        if (!$this->take($key, $maxAttempts, $decaySeconds)) {
            return false;
        }
        try {
            return $callback() ?? true;
        } catch (\Throwable $error) {
            // As with Laravel's limiter only what comes to its end counts. Nothing is left to take back when the time is over meanwhile.
            if ($this->attempts($key) > 0) {
                $this->decrement($key, $decaySeconds);
            }
            throw $error;
        }
    }

    /**
     * @param string $key
     * @param \DateTimeInterface|\DateInterval|int $decaySeconds
     * @param int $amount
     */
    public function increment($key, $decaySeconds = 60, $amount = 1): int
    {
        $store = $this->cache->getStore();
        \assert($store instanceof TableStore);
        $key = $this->cleanRateLimiterKey($key);
        $this->cache->add("$key:timer", $this->availableAt($decaySeconds), $decaySeconds);
        return $store->count($key, $amount, $this->secondsUntil($decaySeconds));
    }
}
