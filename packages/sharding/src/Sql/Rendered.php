<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\Identifier;

/** A statement for a shard, with `?` for each parameter. */
final readonly class Rendered
{
    /** @param list<int|string> $parameters numbers or names of the parameters, in the order of `?` */
    private function __construct(public string $sql, public array $parameters) {}

    /** A statement that is as it was but for the names of tables on a shard. */
    public static function plain(Plan $plan, string $suffix): self
    {
        return $suffix === '' ? $plan->plain ??= self::of($plan->statement, self::names($plan, '')) : self::of($plan->statement, self::names($plan, $suffix));
    }

    /** @param list<Edit> $edits in any order; they must not overlap */
    public static function of(ParsedStatement $statement, array $edits): self
    {
        \usort($edits, static fn(Edit $a, Edit $b) => $a->start <=> $b->start ?: $a->end <=> $b->end);
        $sql = '';
        $parameters = [];
        $at = 0;
        $next = 0;
        $copy = static function (int $to) use ($statement, &$sql, &$parameters, &$at, &$next): void {
            while (isset($statement->parameterSpans[$next]) && $statement->parameterSpans[$next][0] < $to) {
                [$start, $end] = $statement->parameterSpans[$next];
                $sql .= \substr($statement->sql, $at, $start - $at) . '?';
                $parameters[] = $statement->parameters[$next++];
                $at = $end;
            }
            $sql .= \substr($statement->sql, $at, $to - $at);
            $at = $to;
        };
        foreach ($edits as $edit) {
            $copy($edit->start);
            $sql .= $edit->text;
            while (isset($statement->parameterSpans[$next]) && $statement->parameterSpans[$next][0] < $edit->end) {
                ++$next;
            }
            $at = $edit->end;
        }
        $copy(\strlen($statement->sql));
        /** @var list<int|string> $parameters */
        return new self($sql, $parameters);
    }

    /**
     * Names of tables as they are on a shard.
     *
     * @return list<Edit>
     */
    public static function names(Plan $plan, string $suffix): array
    {
        $edits = [];
        foreach ($plan->statement->tableRefs() as $ref) {
            $isForeign = \in_array($ref->keyspace, ['information_schema', 'mysql', 'performance_schema', 'sys'], true);
            if ($ref->keyspace !== '' && !$isForeign) {
                $edits[] = new Edit($ref->start, $ref->nameStart, '');
            }
            if ($suffix !== '' && self::isSharded($plan, $ref)) {
                $isSelect = $plan->statement->kind === StatementKind::Select;
                $edits[] = new Edit($ref->nameStart, $ref->end, Identifier::quote($ref->name . $suffix) . ($isSelect && !$ref->hasAlias ? ' AS ' . Identifier::quote($ref->name) : ''));
            }
        }
        return $edits;
    }

    private static function isSharded(Plan $plan, TableRef $ref): bool
    {
        foreach ($plan->tables as [$one]) {
            if ($one === $ref) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param list<int|string> $keys
     * @param array<int|string, mixed> $parameters
     * @param array<int|string, int> $types
     * @return array{list<mixed>, array<int, int>}
     */
    public static function values(array $keys, array $parameters, array $types): array
    {
        $values = [];
        $typed = [];
        foreach ($keys as $i => $key) {
            if (!\array_key_exists($key, $parameters)) {
                throw new \PDOException('SQLSTATE[HY093]: Invalid parameter number: the parameter ' . (\is_int($key) ? $key + 1 : ":$key") . ' is not bound');
            }
            $values[] = $parameters[$key];
            if (isset($types[$key])) {
                $typed[$i] = $types[$key];
            }
        }
        return [$values, $typed];
    }
}
