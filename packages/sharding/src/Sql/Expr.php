<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** An expression of a statement, from a byte to another one. */
final class Expr
{
    /**
     * @param string $name of a column or function (in lower case), or the operator
     * @param string $table of a column, as written, in lower case; '' when it is not qualified
     * @param list<self> $args
     * @param int|string|null $value of a literal (a string for numbers, too; null for NULL), or a parameter's number or name
     */
    public function __construct(
        public readonly ExprKind $kind,
        public readonly int $start,
        public readonly int $end,
        public readonly string $name = '',
        public readonly string $table = '',
        public readonly array $args = [],
        public readonly int|string|null $value = null,
        public readonly ?Block $block = null,
        public readonly bool $isDistinct = false,
        public readonly bool $hasWindow = false,
        public readonly bool $isNumber = false,
    ) {}

    /** @return iterable<self> this and all within it, sub-queries left out */
    public function all(): iterable
    {
        yield $this;
        foreach ($this->args as $arg) {
            yield from $arg->all();
        }
    }

    /** @return list<self> the parts that are connected by AND */
    public function conjuncts(): array
    {
        return $this->kind === ExprKind::Binary && $this->name === 'AND' ? [...$this->args[0]->conjuncts(), ...$this->args[1]->conjuncts()] : [$this];
    }

    public function isValue(): bool
    {
        return $this->kind === ExprKind::Literal || $this->kind === ExprKind::Parameter;
    }
}
