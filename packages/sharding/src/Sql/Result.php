<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** What a statement has given: rows, or how many it changed. */
final class Result
{
    /**
     * @param list<array<string, mixed>> $columns what PDO says of the columns, with at least `name`
     * @param \Iterator<int, list<mixed>> $rows
     * @param null|\Closure(): void $close gives back what the rows come from
     * @param list<string> $warnings of shards that were left out
     */
    public function __construct(
        public readonly array $columns,
        public readonly \Iterator $rows,
        public readonly int $rowCount = 0,
        public readonly ?string $lastInsertId = null,
        private ?\Closure $close = null,
        public readonly array $warnings = [],
    ) {}

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
