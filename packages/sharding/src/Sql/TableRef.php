<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** A table in FROM or in another place. */
final class TableRef
{
    /** The condition of its join. */
    public ?Expr $on = null;
    /** @var list<string> */
    public array $using = [];

    /**
     * @param string $name in lower case
     * @param string $alias by which columns name it, in lower case
     * @param string $keyspace before its name, '' for none
     * @param int $start byte of its name; a keyspace is before it
     * @param bool $isOuter whether it is to the right of a LEFT JOIN
     * @param Block|null $block a derived table
     */
    public function __construct(
        public readonly string $name,
        public readonly string $alias,
        public readonly string $keyspace,
        public readonly int $start,
        public readonly int $nameStart,
        public readonly int $end,
        public readonly bool $hasAlias,
        public readonly bool $isOuter,
        public readonly ?Block $block = null,
    ) {}
}
