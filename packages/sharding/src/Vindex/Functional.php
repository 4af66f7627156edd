<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\KeyException;

/** A vindex of one column that is a function: one keyspace id for a value. */
abstract class Functional implements Vindex
{
    public function cost(): int
    {
        return 1;
    }

    final public function isUnique(): bool
    {
        return true;
    }

    final public function columns(): int
    {
        return 1;
    }

    final public function map(array $values): Destination
    {
        return Destination::keyspaceId($this->hash($values[0]));
    }

    /**
     * The keyspace id, as bytes.
     *
     * @throws KeyException when the value cannot be a key
     */
    abstract public function hash(mixed $value): string;

    /**
     * A value's bytes as Vitess has them: an integer's decimal text, a string as it is, nothing for NULL.
     *
     * @throws KeyException for a float that is no exact integer, and for what is no scalar
     */
    final protected static function bytes(mixed $value): string
    {
        return match (true) {
            $value === null => '',
            \is_string($value) => $value,
            default => \Sluice\Sharding\Integer64::of($value)->text,
        };
    }
}
