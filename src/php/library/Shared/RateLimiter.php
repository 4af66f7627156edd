<?php

declare(strict_types=1);

namespace Sluice\Shared;

/**
 * Limits how often something is done, by key and over all workers of a server: `$limit` times in `$seconds`, in bursts or evenly. Each
 * key begins with `$limit` tokens. A call of take() takes tokens, and one comes back every `$seconds / $limit` (the generic cell rate
 * algorithm, which keeps one time for each key).
 *
 * Make the object before run(), so that the workers share it: the times are in a Table with the name `rate:` and `$name`. A key takes
 * 128 bytes. When the memory is full, the key that was not used for longest is removed, and begins anew with all its tokens.
 */
final class RateLimiter
{
    private readonly Table $table;
    /** After how many nanoseconds a token comes back. */
    private readonly int $interval;
    /** `$seconds` in nanoseconds. */
    private readonly int $window;

    /**
     * @param string $name 1 to 59 letters, digits, dots, colons, dashes and underscores
     * @param int $limit tokens of each key, 1 to 1,000,000,000
     * @param float $seconds in which all tokens come back, 0.001 to 1e6
     * @param int $bytes of memory for all keys, 64 KiB to 64 GiB
     * @throws \ValueError when an argument is out of range, or this script uses the name for something else
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
     * Takes tokens of a key if there are as many; otherwise takes none.
     *
     * @param string $key 1 to 1,024 bytes, such as a client's address
     * @param int $tokens 1 to `$limit` of the constructor
     * @throws \ValueError when an argument is out of range
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the times
     */
    public function take(string $key, int $tokens = 1): RateDecision
    {
        if ($tokens < 1 || $tokens > $this->limit) {
            throw new \ValueError("$tokens tokens of \"$key\" at a time: it must be 1 to the limit, $this->limit");
        }
        do {
            $now = hrtime(true);
            // The time at which all tokens of the key are there again.
            $before = $this->table->get($key);
            $full = max($now, is_int($before) ? $before : 0) + $tokens * $this->interval;
            $over = $full - $now - $this->limit * $this->interval;
            if ($over > 0) {
                return new RateDecision(false, $this->left($full - $tokens * $this->interval - $now), $over / 1e9);
            }
        } while (!$this->table->compareAndSet($key, $before, $full, max(0.001, ($full - $now) / 1e9)));
        return new RateDecision(true, $this->left($full - $now), 0.0);
    }

    /**
     * Gives a key all its tokens again.
     *
     * @param string $key 1 to 1,024 bytes
     * @throws \ValueError for a key of another length
     * @throws \Sluice\ServerException when a process that is stopped by a signal holds the table of the times
     */
    public function reset(string $key): void
    {
        $this->table->remove($key);
    }

    private function left(int $nanoseconds): int
    {
        return max(0, intdiv($this->limit * $this->interval - $nanoseconds, $this->interval));
    }
}
