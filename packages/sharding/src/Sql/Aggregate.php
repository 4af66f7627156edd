<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\Decimal;

/** An aggregate that is made of those of the shards. */
final readonly class Aggregate
{
    /** Digits that AVG has more than its argument: the server's default div_precision_increment. */
    private const MORE_DIGITS = 4;

    /**
     * @param int $column the visible one
     * @param int $hidden for AVG the count, for MIN and MAX what is compared; from the first hidden column
     */
    public function __construct(public AggregateKind $kind, public int $column, public int $hidden, public SortKind $sort, public string $padding) {}

    /**
     * @param list<mixed> $into
     * @param list<mixed> $row
     * @return list<mixed>
     */
    public function add(array $into, array $row, int $visible): array
    {
        $hidden = $visible + $this->hidden;
        switch ($this->kind) {
            case AggregateKind::Min:
            case AggregateKind::Max:
                $order = $this->sort->compare($row[$hidden], $into[$hidden], $this->padding);
                if ($row[$hidden] !== null && ($into[$hidden] === null || ($this->kind === AggregateKind::Min ? $order < 0 : $order > 0))) {
                    $into[$hidden] = $row[$hidden];
                    $into[$this->column] = $row[$this->column];
                }
                break;
            case AggregateKind::Avg:
                $into[$hidden] = self::sum($into[$hidden], $row[$hidden]);
                $into[$this->column] = self::sum($into[$this->column], $row[$this->column]);
                break;
            default:
                $into[$this->column] = self::sum($into[$this->column], $row[$this->column]);
        }
        return \array_values($into);
    }

    /**
     * @param list<mixed> $row
     * @return list<mixed>
     */
    public function finish(array $row, int $visible): array
    {
        if ($this->kind === AggregateKind::Avg && $row[$this->column] !== null) {
            $sum = $row[$this->column];
            $count = $row[$visible + $this->hidden];
            \assert(\is_int($count) || \is_string($count));
            $row[$this->column] = \is_float($sum) ? $sum / (int) $count : Decimal::divide(self::text($sum), (int) $count, Decimal::scale(self::text($sum)) + self::MORE_DIGITS);
        }
        return $row;
    }

    private static function sum(mixed $a, mixed $b): mixed
    {
        if ($a === null || $b === null) {
            return $a ?? $b;
        }
        if (\is_int($a) && \is_int($b)) {
            return $a + $b;
        }
        if (\is_float($a) || \is_float($b)) {
            return (float) self::text($a) + (float) self::text($b);
        }
        return Decimal::add(self::text($a), self::text($b));
    }

    private static function text(mixed $value): string
    {
        return \is_scalar($value) ? (string) $value : '';
    }
}
