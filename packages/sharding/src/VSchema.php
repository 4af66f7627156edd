<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\{Lookup, Vindex, Vindexes};

/** Vitess's description of a keyspace: whether it is sharded, its vindexes and its tables. */
final readonly class VSchema
{
    /**
     * @param array<string, Vindex> $vindexes
     * @param array<string, TableSchema> $tables by name in lower case
     * @param array<mixed> $source what it was made of
     */
    private function __construct(public bool $isSharded, public array $vindexes, public array $tables, public array $source) {}

    /**
     * @param string|array<mixed> $vschema JSON, the path of a JSON file, or an array of the same shape
     * @throws ConfigurationException when it is not right; the message names the place
     */
    public static function of(string|array $vschema): self
    {
        if (\is_string($vschema)) {
            $json = \str_starts_with(\ltrim($vschema), '{') ? $vschema : @\file_get_contents($vschema);
            if ($json === false) {
                throw new ConfigurationException("The VSchema \"$vschema\" is no JSON object and no file that can be read.");
            }
            $vschema = \json_decode($json, true);
            if (!\is_array($vschema)) {
                throw new ConfigurationException('The VSchema is not valid JSON: ' . \json_last_error_msg() . '.');
            }
        }
        self::requireKeys('VSchema', $vschema, ['sharded', 'vindexes', 'tables', 'require_explicit_routing', 'foreign_key_mode', 'comment']);
        $isSharded = ($vschema['sharded'] ?? false) === true;
        $vindexes = [];
        $owners = [];
        foreach (self::objects($vschema, 'vindexes', 'VSchema') as $name => $definition) {
            self::requireKeys("vindex $name", $definition, ['type', 'params', 'owner']);
            $type = $definition['type'] ?? null;
            if (!\is_string($type)) {
                throw new ConfigurationException("The vindex $name has no type.");
            }
            $vindexes[$name] = Vindexes::make($name, $type, self::object($definition, 'params', "vindex $name"));
            $owner = $definition['owner'] ?? null;
            if (\is_string($owner)) {
                $owners[$name] = \strtolower($owner);
            }
        }
        $tables = [];
        foreach (self::objects($vschema, 'tables', 'VSchema') as $name => $definition) {
            $tables[\strtolower($name)] = self::table($name, $definition, $isSharded, $vindexes, $owners);
        }
        foreach ($owners as $name => $owner) {
            if (!isset($tables[$owner])) {
                throw new ConfigurationException("The vindex $name is owned by the table $owner, which the VSchema does not have.");
            }
        }
        return new self($isSharded, $vindexes, $tables, $vschema);
    }

    /**
     * @param array<mixed> $definition
     * @param array<string, Vindex> $vindexes
     * @param array<string, string> $owners
     */
    private static function table(string $name, array $definition, bool $isSharded, array $vindexes, array $owners): TableSchema
    {
        self::requireKeys("table $name", $definition, ['type', 'column_vindexes', 'auto_increment', 'columns', 'column_list_authoritative', 'pinned', 'source', 'comment']);
        $types = [];
        foreach (self::objects($definition, 'columns', "table $name") as $column) {
            if (!\is_string($column['name'] ?? null)) {
                throw new ConfigurationException("A column of the table $name has no name.");
            }
            $type = $column['type'] ?? '';
            $types[\strtolower($column['name'])] = \is_string($type) ? \strtoupper($type) : '';
        }
        $columns = ($definition['column_list_authoritative'] ?? false) === true ? \array_keys($types) : null;
        $kind = match ($definition['type'] ?? '') {
            'sequence' => TableKind::Sequence,
            'reference' => TableKind::Reference,
            '' => $isSharded ? TableKind::Sharded : TableKind::Unsharded,
            default => throw new ConfigurationException("The table $name has the type " . \json_encode($definition['type']) . ', but allowed are sequence, reference and none.'),
        };
        $list = [];
        foreach (self::objects($definition, 'column_vindexes', "table $name") as $entry) {
            $list[] = self::columnVindex($name, $entry, $vindexes, $owners);
        }
        if ($kind === TableKind::Sharded && ($list === [] || !$list[0]->vindex->isUnique() || $list[0]->vindex instanceof Lookup)) {
            throw new ConfigurationException("VT09001: the table $name has no primary vindex. Its first entry in column_vindexes must be a function, such as xxhash on its key;"
                . ' or make it a reference table.');
        }
        $increment = $definition['auto_increment'] ?? null;
        if ($increment !== null && (!\is_array($increment) || !\is_string($increment['column'] ?? null) || !\is_string($increment['sequence'] ?? null))) {
            throw new ConfigurationException("The auto_increment of the table $name must have a column and a sequence.");
        }
        return new TableSchema(\strtolower($name), $kind, $list, $types, $columns, $increment === null ? null : [
            'column' => \strtolower($increment['column']), 'sequence' => $increment['sequence'],
        ]);
    }

    /**
     * @param array<mixed> $entry
     * @param array<string, Vindex> $vindexes
     * @param array<string, string> $owners
     */
    private static function columnVindex(string $table, array $entry, array $vindexes, array $owners): ColumnVindex
    {
        $name = $entry['name'] ?? null;
        if (!\is_string($name) || !isset($vindexes[$name])) {
            throw new ConfigurationException("The table $table names the vindex " . \json_encode($name) . ', which the VSchema does not define. It has: '
                . (\implode(', ', \array_keys($vindexes)) ?: 'none') . '.');
        }
        $columns = [];
        foreach (\is_array($entry['columns'] ?? null) ? $entry['columns'] : [$entry['column'] ?? null] as $column) {
            if (!\is_string($column)) {
                throw new ConfigurationException("The vindex $name of the table $table has no column.");
            }
            $columns[] = \strtolower($column);
        }
        if ($columns === [] || \count($columns) !== $vindexes[$name]->columns()) {
            throw new ConfigurationException("The vindex $name of the table $table is on " . \count($columns) . " columns, but takes {$vindexes[$name]->columns()}.");
        }
        return new ColumnVindex($name, $columns, $vindexes[$name], ($owners[$name] ?? null) === \strtolower($table));
    }

    /**
     * @param array<mixed> $of
     * @return array<string, array<mixed>>
     */
    private static function objects(array $of, string $key, string $what): array
    {
        $objects = [];
        foreach (self::object($of, $key, $what) as $name => $object) {
            $objects[(string) $name] = \is_array($object) ? $object : throw new ConfigurationException("\"$name\" in $key of the $what is no object.");
        }
        return $objects;
    }

    /**
     * @param array<mixed> $of
     * @return array<mixed>
     */
    private static function object(array $of, string $key, string $what): array
    {
        $object = $of[$key] ?? [];
        return \is_array($object) ? $object : throw new ConfigurationException("\"$key\" of the $what is no object.");
    }

    /**
     * @param array<mixed> $of
     * @param list<string> $known
     */
    private static function requireKeys(string $what, array $of, array $known): void
    {
        foreach (\array_keys($of) as $key) {
            if (!\in_array($key, $known, true)) {
                throw new ConfigurationException("The $what has \"$key\", which is not known. Allowed are " . \implode(', ', $known) . '.');
            }
        }
    }
}
