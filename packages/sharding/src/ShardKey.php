<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Names the sharding key of an entity of Doctrine or a model of Eloquent, for VSchemas that are made of classes. */
#[\Attribute(\Attribute::TARGET_CLASS)]
final readonly class ShardKey
{
    /**
     * @param string $column of the table
     * @param string $type Vitess's name of the column's type, such as INT64, UINT64 or VARCHAR
     * @param string $vindex a type of vindex
     */
    public function __construct(public string $column, public string $type = 'INT64', public string $vindex = 'xxhash') {}

    /**
     * A VSchema of tables, each with the class that has the attribute; a class without it is a reference table.
     *
     * @param array<string, class-string> $classes by the names of tables
     * @return array<string, mixed>
     */
    public static function vschema(array $classes): array
    {
        $vindexes = [];
        $tables = [];
        foreach ($classes as $table => $class) {
            $attributes = (new \ReflectionClass($class))->getAttributes(self::class);
            if ($attributes === []) {
                $tables[$table] = ['type' => 'reference'];
                continue;
            }
            $key = $attributes[0]->newInstance();
            $vindexes[$key->vindex] = ['type' => $key->vindex];
            $tables[$table] = ['column_vindexes' => [['column' => $key->column, 'name' => $key->vindex]], 'columns' => [['name' => $key->column, 'type' => $key->type]]];
        }
        return ['sharded' => true, 'vindexes' => $vindexes, 'tables' => $tables];
    }
}
