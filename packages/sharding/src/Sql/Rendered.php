<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** A statement for a shard, with `?` for each parameter. */
final readonly class Rendered
{
    /** @param list<int|string> $parameters numbers or names of the parameters, in the order of `?` */
    private function __construct(public string $sql, public array $parameters) {}

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
}
