<?php

declare(strict_types=1);

namespace Sluice\Symfony\Cache;

use Sluice\Shared\Table;
use Symfony\Component\Cache\Adapter\AbstractAdapter;

/**
 * A cache pool in a shared table, for all kernels of all workers: the service `sluice.cache`, to be named as `framework.cache.app` or as the adapter of a pool.
 * Several pools use one table, and clear() empties one of them.
 */
final class TableAdapter extends AbstractAdapter
{
    private const KEY_BYTES = 1024;

    /** @param int $defaultLifetime of items that say none, in seconds; 0: they stay */
    public function __construct(private readonly Table $table, string $namespace = '', int $defaultLifetime = 0)
    {
        // Longer keys are hashed.
        $this->maxIdLength = self::KEY_BYTES;
        parent::__construct($namespace, $defaultLifetime);
    }

    /**
     * @param array<string> $ids
     * @return iterable<string, mixed>
     */
    protected function doFetch(array $ids): iterable
    {
        foreach ($ids as $id) {
            $value = $this->table->get($id, $this->table);
            // No value can be the table itself: it cannot be serialized.
            if ($value !== $this->table) {
                yield $id => $value;
            }
        }
    }

    protected function doHave(string $id): bool
    {
        return $this->table->has($id);
    }

    protected function doClear(string $namespace): bool
    {
        if ($namespace === '') {
            $this->table->clear();
            return true;
        }
        foreach ($this->table->listKeys($namespace) as $id) {
            $this->table->remove($id);
        }
        return true;
    }

    /** @param array<string> $ids */
    protected function doDelete(array $ids): bool
    {
        foreach ($ids as $id) {
            $this->table->remove($id);
        }
        return true;
    }

    /**
     * @param array<mixed> $values
     * @return list<string> the ids of values that are too long for the table
     */
    protected function doSave(array $values, int $lifetime): array
    {
        $failed = [];
        foreach ($values as $id => $value) {
            try {
                $this->table->set((string) $id, $value, $lifetime > 0 ? \min((float) $lifetime, 1e9) : null);
            } catch (\ValueError) {
                $failed[] = (string) $id;
            }
        }
        return $failed;
    }
}
