<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** What a statement has given: rows, or how many it changed. */
final class Result
{
    public readonly int $columnCount;
    /** @var list<string>|null */
    private ?array $names = null;

    /**
     * @param list<array<string, mixed>>|\PDOStatement $columns what PDO says of the columns, with at least `name`; or a statement that is asked when somebody wants to know
     * @param \Iterator<int, list<mixed>> $rows
     * @param null|\Closure(): void $close gives back what the rows come from
     * @param list<string> $warnings of shards that were left out
     */
    public function __construct(
        private array|\PDOStatement $columns,
        public readonly \Iterator $rows,
        public readonly int $rowCount = 0,
        public readonly ?string $lastInsertId = null,
        private ?\Closure $close = null,
        public readonly array $warnings = [],
    ) {
        $this->columnCount = $columns instanceof \PDOStatement ? $columns->columnCount() : \count($columns);
    }

    /** @return list<array<string, mixed>> */
    public function columns(): array
    {
        return $this->columns = $this->columns instanceof \PDOStatement ? Cursors::columns($this->columns) : $this->columns;
    }

    /** @return list<string> */
    public function names(): array
    {
        return $this->names ??= \array_map(static fn(array $column) => \is_string($column['name'] ?? null) ? $column['name'] : '', $this->columns());
    }

    public static function changed(int $rowCount, ?string $lastInsertId = null): self
    {
        return new self([], new \EmptyIterator(), $rowCount, $lastInsertId);
    }

    public function close(): void
    {
        $close = $this->close;
        $this->close = null;
        if ($close !== null) {
            $close();
        }
    }

    public function __destruct()
    {
        $this->close();
    }
}
