<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\{KeyException, LookupStore};

/**
 * Vitess's lookup vindexes: a table maps a column's value to the keyspace id of the row. `lookup_hash` keeps the number whose `hash` is the
 * keyspace id. The rows that a table owns are written with the table's own.
 */
final class Lookup implements Vindex
{
    private ?LookupStore $store = null;

    /** @param non-empty-list<string> $from the lookup table's columns for the values */
    public function __construct(
        public readonly string $table,
        public readonly array $from,
        public readonly string $to,
        private readonly bool $isUnique,
        private readonly bool $keepsHash,
    ) {}

    public function connect(LookupStore $store): void
    {
        $this->store = $store;
    }

    public function cost(): int
    {
        return $this->isUnique ? 10 : 20;
    }

    public function isUnique(): bool
    {
        return $this->isUnique;
    }

    public function columns(): int
    {
        return 1;
    }

    public function map(array $values): Destination
    {
        if ($values[0] === null) {
            return Destination::none();
        }
        return Destination::keyspaceIds(\array_map($this->decode(...), $this->store()->find($this, $values[0])));
    }

    /**
     * Notes where a row is, before it is written.
     *
     * @param \Closure(string): bool $ownerExists whether a row with this value exists at a keyspace id: an entry without one is taken over
     * @throws KeyException when the vindex is unique and another row has the value
     */
    public function create(mixed $value, string $keyspaceId, \Closure $ownerExists): void
    {
        if ($value === null) {
            return;
        }
        $encoded = $this->encode($keyspaceId);
        if ($this->store()->create($this, $value, $encoded)) {
            return;
        }
        foreach ($this->isUnique ? $this->store()->find($this, $value) : [] as $taken) {
            if (self::text($taken) !== self::text($encoded)) {
                if ($ownerExists($this->decode($taken))) {
                    throw new KeyException("The value " . \json_encode($value, \JSON_PARTIAL_OUTPUT_ON_ERROR) . " of the unique lookup vindex on $this->table is taken by another row (VT: duplicate entry).");
                }
                $this->store()->replace($this, $value, $encoded);
            }
        }
    }

    public function delete(mixed $value, string $keyspaceId): void
    {
        if ($value !== null) {
            $this->store()->delete($this, $value, $this->encode($keyspaceId));
        }
    }

    private function store(): LookupStore
    {
        return $this->store ?? throw new \LogicException("The lookup vindex on $this->table is not connected.");
    }

    private function encode(string $keyspaceId): string
    {
        return $this->keepsHash ? (new Hash())->reverse($keyspaceId) : $keyspaceId;
    }

    private function decode(mixed $stored): string
    {
        return $this->keepsHash ? (new Hash())->hash($stored) : self::text($stored);
    }

    private static function text(mixed $value): string
    {
        return \is_scalar($value) ? (string) $value : '';
    }
}
