<?php

declare(strict_types=1);

namespace Sluice\Symfony\Lock;

use Sluice\Shared\Table;
use Symfony\Component\Lock\Exception\{InvalidTtlException, LockConflictedException};
use Symfony\Component\Lock\{Key, PersistingStoreInterface};
use Symfony\Component\Lock\Store\ExpiringStoreTrait;

/**
 * Locks in a shared table, for all kernels of all workers: the service `sluice.lock`, to be named as a resource of `framework.lock`. A lock ends with its
 * time to live, at the latest, so that a worker that was killed holds none for long.
 */
final class TableStore implements PersistingStoreInterface
{
    use ExpiringStoreTrait;

    private const KEY_BYTES = 1024;

    /**
     * @param float $initialSeconds the life of a lock whose user gives none, 0.001 to 1e9
     * @throws InvalidTtlException when $initialSeconds is out of range
     */
    public function __construct(private readonly Table $table, private readonly float $initialSeconds = 300.0)
    {
        self::check($initialSeconds);
    }

    public function save(Key $key): void
    {
        $key->reduceLifetime($this->initialSeconds);
        if (!$this->table->add(self::name($key), self::owner($key), $this->initialSeconds)) {
            // It may be this key's own already.
            $this->prolong($key, $this->initialSeconds);
        }
        $this->checkNotExpired($key);
    }

    public function putOffExpiration(Key $key, float $ttl): void
    {
        self::check($ttl);
        $key->reduceLifetime($ttl);
        if (!$this->table->add(self::name($key), self::owner($key), $ttl)) {
            $this->prolong($key, $ttl);
        }
        $this->checkNotExpired($key);
    }

    public function delete(Key $key): void
    {
        $this->table->compareAndRemove(self::name($key), self::owner($key));
    }

    public function exists(Key $key): bool
    {
        return $this->table->get(self::name($key)) === self::owner($key);
    }

    private function prolong(Key $key, float $seconds): void
    {
        $owner = self::owner($key);
        if (!$this->table->compareAndSet(self::name($key), $owner, $owner, $seconds)) {
            throw new LockConflictedException();
        }
    }

    private static function check(float $seconds): void
    {
        if ($seconds < 0.001 || $seconds > 1e9) {
            throw new InvalidTtlException("A lock lives 0.001 to 1e9 seconds, $seconds given");
        }
    }

    private static function name(Key $key): string
    {
        $name = (string) $key;
        return $name !== '' && \strlen($name) <= self::KEY_BYTES ? $name : 'sha256:' . \hash('sha256', $name);
    }

    private static function owner(Key $key): string
    {
        if (!$key->hasState(self::class)) {
            $key->setState(self::class, \bin2hex(\random_bytes(16)));
        }
        $owner = $key->getState(self::class);
        return \is_string($owner) ? $owner : throw new \LogicException('The state of the key is not of this store');
    }
}
