<?php

declare(strict_types=1);

namespace Sluice\Sharding\Reshard;

use Sluice\Sharding\{ConfigurationException, Keyspace, Table, TableKind};
use Sluice\Sharding\Vindex\LegacySplit;

/** A table as an old shard has it, with legacy_split one of those with a number, and the table that its rows go to. @internal */
final readonly class Part
{
    private function __construct(public string $name, public Table $table) {}

    /**
     * @return list<self> the tables of each old shard
     * @throws ConfigurationException for a table that the new VSchema does not have, or has numbers for
     */
    public static function all(Keyspace $from, Keyspace $to): array
    {
        $parts = [];
        foreach ($from->vschema->tables as $schema) {
            if (!isset($to->vschema->tables[$schema->name]) || $to->vschema->tables[$schema->name]->kind !== $schema->kind) {
                throw new ConfigurationException("The new VSchema does not have the table $schema->name, or has another type for it. Add it as it is in the old one.");
            }
            $table = $to->table($schema->name);
            if ($table->anyName() !== $schema->name) {
                throw new ConfigurationException("The new table $schema->name would have a number for each part of a database (legacy_split). Give it a vindex such as xxhash, or move whole databases.");
            }
            $vindex = $schema->kind === TableKind::Sharded ? $schema->primary()->vindex : null;
            foreach ($vindex instanceof LegacySplit ? $vindex->suffixes() : [''] as $suffix) {
                $parts[] = new self($schema->name . $suffix, $table);
            }
        }
        return $parts;
    }

    /** Whether the new VSchema maps keys in another way, so that the rows of each old shard may go to every new one. */
    public static function areMappedAnew(Keyspace $from, Keyspace $to): bool
    {
        foreach ($from->vschema->tables as $schema) {
            $new = $to->vschema->tables[$schema->name] ?? null;
            if ($schema->kind === TableKind::Sharded && $new !== null && ($schema->primary()->vindex != $new->primary()->vindex || $schema->primary()->columns !== $new->primary()->columns)) {
                return true;
            }
        }
        return false;
    }
}
