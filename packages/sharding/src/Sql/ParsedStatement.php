<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** A statement that was read to its end. */
final class ParsedStatement
{
    /** @var list<string> of INSERT, in lower case; empty: none were written */
    public array $columns = [];
    /** @var list<list<Expr>> the rows of INSERT */
    public array $rows = [];
    /** @var list<array{int, int}> from and to of each row */
    public array $rowSpans = [];
    /** @var list<array{string, Expr}> what UPDATE, or ON DUPLICATE KEY UPDATE, sets */
    public array $assignments = [];
    public int $columnsEnd = 0;
    /** What follows USE. */
    public string $argument = '';

    /** @param list<int|string> $parameters numbers and names in the order of the text */
    public function __construct(
        public readonly StatementKind $kind,
        public readonly string $sql,
        public readonly Block $block,
        public readonly Directives $directives,
        public readonly array $parameters,
        /** @var list<array{int, int}> */
        public readonly array $parameterSpans,
    ) {}

    /** @return iterable<TableRef> all tables of the statement, those of sub-queries included */
    public function tableRefs(): iterable
    {
        yield from self::refsOf($this->block);
    }

    /** @return iterable<TableRef> */
    private static function refsOf(Block $block): iterable
    {
        foreach ($block->tables as $ref) {
            if ($ref->block === null) {
                yield $ref;
            }
        }
        foreach ([...$block->blocks, ...$block->unions] as $inner) {
            yield from self::refsOf($inner);
        }
    }

    public function isRead(): bool
    {
        return $this->kind === StatementKind::Select && !$this->block->locks;
    }
}
