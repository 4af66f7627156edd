<?php

declare(strict_types=1);

namespace Sluice\Laravel\Cache;

use Illuminate\Cache\Lock;
use Sluice\Shared\Table;

/** A lock of the cache store `sluice`: the name of its owner in a table. */
final class TableLock extends Lock
{
    /**
     * @param int $seconds 0: until it is released
     * @param string|null $owner null: somebody new
     */
    public function __construct(private readonly Table $table, string $key, int $seconds, ?string $owner = null)
    {
        parent::__construct($key, $seconds, $owner);
    }

    public function acquire(): bool
    {
        return $this->table->add($this->name, $this->owner, $this->seconds > 0 ? (float) $this->seconds : null);
    }

    public function release(): bool
    {
        return $this->table->compareAndRemove($this->name, $this->owner);
    }

    public function forceRelease(): void
    {
        $this->table->remove($this->name);
    }

    protected function getCurrentOwner(): string
    {
        $owner = $this->table->get($this->name);
        return \is_string($owner) ? $owner : '';
    }
}
