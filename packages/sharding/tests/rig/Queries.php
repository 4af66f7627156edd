<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\rig;

/** Makes random queries. */
final class Queries
{
    /** @var list<int|string|null> */
    private array $parameters = [];

    /**
     * @param array<string, string> $columns of `t` to their types
     * @param list<string> $ids
     */
    public function __construct(private readonly array $columns, private readonly array $ids) {}

    public function next(): Query
    {
        return match (\mt_rand(0, 11)) {
            0, 1, 2 => $this->rows(),
            3 => $this->byKey(),
            4, 5 => $this->groups(),
            6 => $this->aggregates(),
            7 => $this->distinct(),
            8 => $this->join(),
            9 => $this->localGroups(),
            10 => $this->subQuery(),
            default => $this->odd(),
        };
    }

    private function rows(): Query
    {
        $columns = $this->some();
        $where = $this->where('');
        $order = [];
        foreach ($this->pick(\mt_rand(0, 2)) as $column) {
            $order[] = $column . (\mt_rand(0, 1) === 0 ? ' DESC' : '');
        }
        $order[] = \mt_rand(0, 1) === 0 ? 'id' : 'id DESC';
        $list = \mt_rand(0, 3) === 0 ? '*' : 'id, ' . \implode(', ', $columns);
        return new Query("SELECT $list FROM t$where ORDER BY " . \implode(', ', $order) . $this->limit(), $this->parameters, true);
    }

    private function byKey(): Query
    {
        $keys = \mt_rand(0, 1) === 0 ? 'id = ' . $this->id() : 'id IN (' . \implode(', ', \array_map(fn() => $this->id(), \range(0, \mt_rand(0, 4)))) . ')';
        $where = \mt_rand(0, 1) === 0 ? " AND ({$this->condition('')})" : '';
        return new Query("SELECT id, grp, code FROM t WHERE $keys$where ORDER BY id", $this->parameters, true);
    }

    private function groups(): Query
    {
        $keys = $this->pick(\mt_rand(1, 2));
        $loose = [];
        foreach ($keys as $i => $key) {
            if ($this->isLoose($key)) {
                $loose[] = $i;
            }
        }
        $aggregates = [];
        for ($i = \mt_rand(1, 3); $i > 0; --$i) {
            $aggregates[] = $this->aggregate($loose, \count($keys) + \count($aggregates)) . " AS a$i";
        }
        $where = $this->where('');
        $group = \implode(', ', $keys);
        if (\mt_rand(0, 2) === 0) {
            return new Query("SELECT $group, COUNT(*) AS n, " . \implode(', ', $aggregates) . " FROM t$where GROUP BY $group ORDER BY n DESC, $group" . $this->limit(), $this->parameters, true, self::moved($loose, \count($keys)));
        }
        $direction = \mt_rand(0, 1) === 0 ? ' DESC' : '';
        return new Query("SELECT $group, " . \implode(', ', $aggregates) . " FROM t$where GROUP BY $group ORDER BY " . \implode(', ', \array_map(static fn($key) => $key . $direction, $keys)) . $this->limit(), $this->parameters, true, $loose);
    }

    /**
     * @param list<int> $loose
     * @return list<int>
     */
    private static function moved(array $loose, int $from): array
    {
        return \array_map(static fn(int $at) => $at >= $from ? $at + 1 : $at, $loose);
    }

    private function aggregates(): Query
    {
        $loose = [];
        $list = [];
        for ($i = \mt_rand(1, 4); $i > 0; --$i) {
            $list[] = $this->aggregate($loose, \count($list));
        }
        return new Query('SELECT ' . \implode(', ', $list) . ' FROM t' . $this->where(''), $this->parameters, true, $loose);
    }

    private function distinct(): Query
    {
        $keys = $this->pick(\mt_rand(1, 2));
        $loose = [];
        foreach ($keys as $i => $key) {
            if ($this->isLoose($key)) {
                $loose[] = $i;
            }
        }
        $list = \implode(', ', $keys);
        return new Query("SELECT DISTINCT $list FROM t" . $this->where('') . " ORDER BY $list" . $this->limit(), $this->parameters, true, $loose);
    }

    private function join(): Query
    {
        $join = \mt_rand(0, 1) === 0 ? 'JOIN' : 'LEFT JOIN';
        $reference = \mt_rand(0, 1) === 0 ? ' LEFT JOIN r ON r.code = t.code' : '';
        $label = $reference === '' ? '' : ', r.label';
        return new Query("SELECT t.id, u.no, u.v$label FROM t $join u ON u.uid = t.id$reference" . $this->where('t.') . ' ORDER BY t.id DESC, u.no' . $this->limit(), $this->parameters, true);
    }

    private function localGroups(): Query
    {
        $having = \mt_rand(0, 1) === 0 ? ' HAVING COUNT(*) > 1' : '';
        return new Query("SELECT u.uid, COUNT(*) AS n, SUM(u.v) AS s FROM u GROUP BY u.uid$having ORDER BY n DESC, u.uid" . $this->limit(), $this->parameters, true);
    }

    private function subQuery(): Query
    {
        $not = \mt_rand(0, 1) === 0 ? 'NOT ' : '';
        $key = \mt_rand(0, 2) === 0 ? ' AND t.id = ' . $this->id() : '';
        return new Query("SELECT t.id, (SELECT COUNT(*) FROM u WHERE u.uid = t.id) AS n FROM t WHERE {$not}EXISTS (SELECT 1 FROM u WHERE u.uid = t.id AND u.v > 0)$key ORDER BY t.id", $this->parameters, true);
    }

    /** What must be refused, or is right all the same. */
    private function odd(): Query
    {
        $sql = [
            'SELECT COUNT(*) FROM (SELECT grp FROM t GROUP BY grp) x',
            'SELECT t.id, u.no FROM t JOIN u ON u.no = t.grp ORDER BY t.id, u.uid, u.no',
            'SELECT grp, COUNT(*) FROM t GROUP BY grp HAVING COUNT(*) > 3 ORDER BY grp',
            'SELECT r.code, COUNT(t.id) FROM r LEFT JOIN t ON t.code = r.code GROUP BY r.code ORDER BY r.code',
            'SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM t ORDER BY id',
            'SELECT id FROM t WHERE id = 1 UNION SELECT id FROM t WHERE id = 9007199254740993 ORDER BY id',
            'SELECT COUNT(DISTINCT id) FROM t',
            'SELECT COUNT(DISTINCT grp) FROM t',
            'SELECT (SELECT COUNT(*) FROM u) AS n, id FROM t ORDER BY id',
            'SELECT id FROM t WHERE grp IN (SELECT no FROM u) ORDER BY id',
            'SELECT grp + 1 AS g, COUNT(*) FROM t GROUP BY g ORDER BY g',
            'SELECT id FROM t ORDER BY grp + 1, id',
            'SELECT a.id FROM t a JOIN t b ON a.id = b.id AND b.id = 1 ORDER BY a.id',
            'SELECT a.id, b.id FROM t a JOIN t b ON b.id = 9007199254740993 WHERE a.id = 1',
            'SELECT id FROM t WHERE id = 1 OR grp = 2 ORDER BY id',
            'SELECT id FROM t WHERE NOT (id = 1) ORDER BY id',
            'SELECT MAX(id) FROM t LIMIT 1 OFFSET 1',
            'SELECT code, grp FROM t WHERE id = NULL',
            'SELECT 1 FROM t LIMIT 3',
            'SELECT SUM(grp * 2), AVG(grp) FROM t WHERE id > 5',
            'SELECT id FROM t WHERE id BETWEEN 1 AND 9007199254740993 ORDER BY 1 DESC LIMIT 2, 3',
            'SELECT GROUP_CONCAT(grp) FROM t',
            'SELECT DISTINCT id, grp FROM t ORDER BY grp, id LIMIT 4',
            'SELECT t.* FROM t JOIN r USING (code) ORDER BY t.id',
        ];
        return new Query($sql[\mt_rand(0, \count($sql) - 1)], [], true);
    }

    /** @param list<int> $loose */
    private function aggregate(array &$loose, int $at): string
    {
        $column = $this->pick(1)[0];
        $type = $this->columns[$column] ?? 'INT';
        $isNumber = \preg_match('/^(INT|SMALLINT|BIGINT|DECIMAL|DOUBLE)/', $type) === 1;
        $function = $isNumber ? ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'][\mt_rand(0, 4)] : ['COUNT', 'MIN', 'MAX'][\mt_rand(0, 2)];
        if ($this->isLoose($column) && $function !== 'COUNT') {
            $loose[] = $at;
        }
        return \mt_rand(0, 5) === 0 ? 'COUNT(*)' : "$function($column)";
    }

    private function where(string $qualifier): string
    {
        return \mt_rand(0, 2) === 0 ? '' : ' WHERE ' . $this->condition($qualifier) . (\mt_rand(0, 2) === 0 ? [' AND ', ' OR '][\mt_rand(0, 1)] . $this->condition($qualifier) : '');
    }

    private function condition(string $qualifier): string
    {
        $column = $this->pick(1)[0];
        $type = $this->columns[$column] ?? ($column === 'code' ? 'CHAR' : 'INT');
        $operator = ['=', '<', '>', '<=', '>=', '<>', '<=>', 'IS NULL', 'IS NOT NULL', 'IN'][\mt_rand(0, 9)];
        if (\str_starts_with($operator, 'IS')) {
            return "$qualifier$column $operator";
        }
        if ($operator === 'IN') {
            $this->parameters[] = World::value($type);
            $this->parameters[] = World::value($type);
            return "$qualifier$column IN (?, ?)";
        }
        $this->parameters[] = World::value($type);
        return "$qualifier$column $operator ?";
    }

    private function limit(): string
    {
        switch (\mt_rand(0, 4)) {
            case 0:
                return ' LIMIT ' . \mt_rand(0, 8);
            case 1:
                return ' LIMIT ' . \mt_rand(1, 8) . ' OFFSET ' . \mt_rand(0, 12);
            case 2:
                $this->parameters[] = \mt_rand(0, 5);
                $this->parameters[] = \mt_rand(1, 8);
                return ' LIMIT ?, ?';
            default:
                return '';
        }
    }

    private function id(): string
    {
        $id = \mt_rand(0, 5) === 0 ? (string) \mt_rand(0, 100) : $this->ids[\mt_rand(0, \count($this->ids) - 1)];
        if (\mt_rand(0, 1) === 0) {
            return $id;
        }
        $this->parameters[] = $id;
        return '?';
    }

    /** @return non-empty-list<string> */
    private function some(): array
    {
        $picked = $this->pick(\mt_rand(1, 4));
        return $picked === [] ? ['grp'] : $picked;
    }

    /** @return list<string> */
    private function pick(int $count): array
    {
        $names = ['grp', 'code', ...\array_keys($this->columns)];
        \shuffle($names);
        return \array_slice($names, 0, $count);
    }

    private function isLoose(string $column): bool
    {
        $type = $this->columns[$column] ?? ($column === 'code' ? 'CHAR' : '');
        return \preg_match('/CHAR|TEXT/', $type) === 1;
    }
}
