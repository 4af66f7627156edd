<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\SimpleCache\CacheInterface;
use Sluice\Shared\{FullException, Table};

/**
 * A PSR-16 cache in a shared table, for all workers of a server:
 *
 *     $cache = new SimpleCache(new Table('cache', bytes: 64 << 20, evict: true));
 *
 * `Symfony\Component\Cache\Adapter\Psr16Adapter` makes a PSR-6 pool of it.
 */
final class SimpleCache implements CacheInterface
{
    /** @param string $prefix put in front of all keys, so that several caches can use one table */
    public function __construct(private readonly Table $table, private readonly string $prefix = '') {}

    /** @throws CacheKeyException */
    public function get(string $key, mixed $default = null): mixed
    {
        return $this->table->get($this->key($key), $default);
    }

    /**
     * @param null|int|\DateInterval $ttl an int is seconds; null: the value stays
     * @return bool false: the table has no room
     * @throws CacheKeyException
     */
    public function set(string $key, mixed $value, null|int|\DateInterval $ttl = null): bool
    {
        $key = $this->key($key);
        $seconds = self::seconds($ttl);
        if ($seconds !== null && $seconds <= 0) {
            $this->table->remove($key);
            return true;
        }
        try {
            $this->table->set($key, $value, $seconds);
            return true;
        } catch (FullException) {
            return false;
        }
    }

    /** @throws CacheKeyException */
    public function delete(string $key): bool
    {
        $this->table->remove($this->key($key));
        return true;
    }

    public function clear(): bool
    {
        if ($this->prefix === '') {
            $this->table->clear();
            return true;
        }
        foreach ($this->table->listKeys($this->prefix) as $key) {
            $this->table->remove($key);
        }
        return true;
    }

    /**
     * @param iterable<mixed> $keys
     * @return array<string, mixed>
     * @throws CacheKeyException
     */
    public function getMultiple(iterable $keys, mixed $default = null): array
    {
        $values = [];
        foreach ($keys as $key) {
            $key = self::text($key);
            $values[$key] = $this->get($key, $default);
        }
        return $values;
    }

    /**
     * @param iterable<mixed> $values
     * @throws CacheKeyException
     */
    public function setMultiple(iterable $values, null|int|\DateInterval $ttl = null): bool
    {
        $isSet = true;
        foreach ($values as $key => $value) {
            $isSet = $this->set(self::text($key), $value, $ttl) && $isSet;
        }
        return $isSet;
    }

    /**
     * @param iterable<mixed> $keys
     * @throws CacheKeyException
     */
    public function deleteMultiple(iterable $keys): bool
    {
        foreach ($keys as $key) {
            $this->delete(self::text($key));
        }
        return true;
    }

    /** @throws CacheKeyException */
    public function has(string $key): bool
    {
        return $this->table->has($this->key($key));
    }

    private function key(string $key): string
    {
        if ($key === '' || \strpbrk($key, '{}()/\\@:') !== false || \strlen($this->prefix . $key) > 1024) {
            throw new CacheKeyException('A key must have 1 to 1024 bytes and none of {}()/\\@:, "' . \substr($key, 0, 100) . '" given');
        }
        return $this->prefix . $key;
    }

    private static function text(mixed $key): string
    {
        return \is_string($key) || \is_int($key) ? (string) $key : throw new CacheKeyException('A key must be a string, ' . \get_debug_type($key) . ' given');
    }

    private static function seconds(null|int|\DateInterval $ttl): ?float
    {
        if ($ttl instanceof \DateInterval) {
            $now = new \DateTimeImmutable();
            $ttl = $now->add($ttl)->getTimestamp() - $now->getTimestamp();
        }
        return $ttl === null ? null : \min((float) $ttl, 1e9);
    }
}
