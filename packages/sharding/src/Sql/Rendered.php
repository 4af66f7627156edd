<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\Identifier;

/** A statement for a shard, with `?` for each parameter. */
final readonly class Rendered
{
    /** Names before a parenthesis that are no functions of a database. What is not here may be one, which is called by the connection's database. */
    private const KNOWN = '/\b(?!(?:abs|all|and|any|as|avg|between|by|case|ceil|char_length|coalesce|concat|count|current_timestamp|date|distinct|div|else|exists|floor|from|greatest|having|if|ifnull|in|interval|into'
        . '|is|join|least|length|like|limit|lower|max|min|mod|not|now|nullif|on|or|order|over|replace|round|select|set|some|sum|then|trim|union|unix_timestamp|upper|using|value|values|when|where|xor)\s*\()[a-z_$]\w*\s*\(/i';

    /**
     * @param list<int|string> $parameters numbers or names of the parameters, in the order of `?`
     * @param list<string>|null $parts the statement, cut where a database can be named; null when its meaning may depend on the connection's
     */
    private function __construct(public string $sql, public array $parameters, private ?array $parts = null) {}

    /** The statement with its tables in this database, for a connection that may be in another one; null when that is not certain to mean what it says. */
    public function in(string $database): ?string
    {
        return $this->parts === null ? null : \implode(Identifier::quote($database) . '.', $this->parts);
    }

    public function namesDatabases(): bool
    {
        return $this->parts !== null;
    }

    /** A statement that is as it was but for the names of tables on a shard. */
    public static function plain(Plan $plan, string $suffix): self
    {
        return $suffix === '' ? $plan->plain ??= self::cut($plan) : self::of($plan->statement, self::names($plan, $suffix));
    }

    private static function cut(Plan $plan): self
    {
        $plain = self::of($plan->statement, self::names($plan, ''));
        $sql = $plan->statement->sql;
        $edits = [];
        $tables = [];
        foreach ($plan->statement->tableRefs() as $ref) {
            $edits[] = new Edit($ref->start, $ref->nameStart, "\0");
            $tables[] = \preg_quote($ref->name, '/');
        }
        $calls = \preg_replace('/(?<![\w`])(' . \implode('|', $tables) . ')\s*\(/i', '', $sql);
        $isCertain = $edits !== [] && $plan->kind !== PlanKind::AnyShard && !\str_contains($sql, "\0") && !\str_contains($sql, '@') && \preg_match(self::KNOWN, (string) $calls) === 0;
        return $isCertain ? new self($plain->sql, $plain->parameters, \explode("\0", self::of($plan->statement, $edits)->sql)) : $plain;
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
