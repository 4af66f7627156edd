<?php

declare(strict_types=1);

namespace Sluice\Laravel\Cache;

use Illuminate\Cache\{RetrievesMultipleKeys, TaggableStore};
use Illuminate\Contracts\Cache\LockProvider;
use Sluice\Shared\Table;

/**
 * The cache store `sluice`: a table in memory that all workers share, and that outlives reloads, but not the server. With `sluice` as `cache.limiter` rate limits hold for all workers:
 * see TableRateLimiter.
 *
 * In a full table entries that have not been used for long make room. Locks and rate limits that must not be lost that way need a store of their own.
 */
final class TableStore extends TaggableStore implements LockProvider
{
    use RetrievesMultipleKeys;

    /** Longer keys are hashed. */
    private const KEY_BYTES = 1024;

    /** @var array<string, Table> by name: the memory is the process's, not an application's */
    private static array $tables = [];

    private function __construct(private readonly Table $table, private readonly string $prefix) {}

    /**
     * Makes the table; to be called before there are workers, so that all workers of the server share it.
     *
     * @param array<mixed> $config of the store: `table` is its name, `bytes` its size, `evict` what becomes of new entries when it is full: true makes room, false
     *     throws a FullException
     */
    public static function of(array $config, string $prefix): self
    {
        $name = \is_string($config['table'] ?? null) ? $config['table'] : 'laravel.cache';
        $bytes = \is_int($config['bytes'] ?? null) ? $config['bytes'] : 16_777_216;
        return new self(self::$tables[$name] ??= new Table($name, $bytes, evict: (bool) ($config['evict'] ?? true)), $prefix);
    }

    public function get($key): mixed
    {
        return $this->table->get($this->key($key));
    }

    public function put($key, $value, $seconds): bool
    {
        if ($seconds <= 0) {
            $this->table->remove($this->key($key));
            return true;
        }
        $this->table->set($this->key($key), $value, (float) $seconds);
        return true;
    }

    /**
     * @param string $key
     * @param mixed $value
     * @param int $seconds
     */
    public function add($key, $value, $seconds): bool
    {
        return $this->table->add($this->key($key), $value, $seconds > 0 ? (float) $seconds : null);
    }

    public function increment($key, $value = 1): int
    {
        return $this->table->increment($this->key($key), self::number($value));
    }

    public function decrement($key, $value = 1): int
    {
        return $this->table->increment($this->key($key), -self::number($value));
    }

    /** Adds to a count, which ends this many seconds after it has begun. */
    public function count(string $key, int $by, int $seconds): int
    {
        return $this->table->increment($this->key($key), $by, (float) \max($seconds, 1));
    }

    public function forever($key, $value): bool
    {
        $this->table->set($this->key($key), $value);
        return true;
    }

    /**
     * @param string $key
     * @param int $seconds
     */
    public function touch($key, $seconds): bool
    {
        $key = $this->key($key);
        for ($value = $this->table->get($key); $value !== null; $value = $this->table->get($key)) {
            if ($this->table->compareAndSet($key, $value, $value, (float) $seconds)) {
                return true;
            }
        }
        return false;
    }

    public function forget($key): bool
    {
        return $this->table->remove($this->key($key));
    }

    public function flush(): bool
    {
        $this->table->clear();
        return true;
    }

    public function lock($name, $seconds = 0, $owner = null): TableLock
    {
        return new TableLock($this->table, $this->key("lock:$name"), $seconds, $owner);
    }

    public function restoreLock($name, $owner): TableLock
    {
        return $this->lock($name, 0, $owner);
    }

    public function getPrefix(): string
    {
        return $this->prefix;
    }

    private static function number(mixed $value): int
    {
        return \is_numeric($value) ? (int) $value : throw new \TypeError('An int is wanted, ' . \get_debug_type($value) . ' given');
    }

    private function key(string $key): string
    {
        $whole = $this->prefix . $key;
        return \strlen($whole) <= self::KEY_BYTES ? $whole : $this->prefix . 'sha256:' . \hash('sha256', $key);
    }
}
