<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\rig;

/** Makes random statements that change rows. */
final class Changes
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
        $sql = match (\mt_rand(0, 6)) {
            0, 1 => $this->insert(),
            2 => 'DELETE FROM t WHERE ' . $this->where(),
            3 => "DELETE FROM u WHERE uid = {$this->id()} AND no >= " . \mt_rand(1, 3),
            4 => $this->update() . ' ORDER BY id LIMIT ' . \mt_rand(1, 3),
            default => $this->update(),
        };
        return new Query($sql, $this->parameters, true);
    }

    private function insert(): string
    {
        $names = \array_rand($this->columns, \mt_rand(2, \count($this->columns)));
        $rows = [];
        for ($i = \mt_rand(1, 4); $i > 0; --$i) {
            $row = [$this->id(), $this->mark(\mt_rand(0, 5)), $this->mark([null, 'de', 'fr'][\mt_rand(0, 2)])];
            foreach ($names as $name) {
                $row[] = $this->mark(World::value($this->columns[$name]));
            }
            $rows[] = '(' . \implode(', ', $row) . ')';
        }
        $verb = ['INSERT', 'INSERT', 'INSERT IGNORE', 'REPLACE'][\mt_rand(0, 3)];
        $update = $verb === 'INSERT' && \mt_rand(0, 2) > 0 ? ' ON DUPLICATE KEY UPDATE grp = grp + 1, code = VALUES(code)' : '';
        return "$verb INTO t (id, grp, code, " . \implode(', ', $names) . ') VALUES ' . \implode(', ', $rows) . $update;
    }

    private function update(): string
    {
        $name = \array_rand($this->columns);
        $set = \mt_rand(0, 1) === 0 ? 'grp = grp + ' . \mt_rand(-1, 1) : "$name = " . $this->mark(World::value($this->columns[$name]));
        return "UPDATE t SET $set WHERE " . $this->where();
    }

    private function where(): string
    {
        return match (\mt_rand(0, 4)) {
            0 => 'id IN (' . \implode(', ', \array_map(fn() => $this->id(), \range(0, \mt_rand(0, 3)))) . ')',
            1 => "id > {$this->id()} AND grp = " . \mt_rand(0, 5),
            2 => 'id BETWEEN 0 AND ' . \mt_rand(0, 1000) . " AND code = 'de'",
            default => "id = {$this->id()}" . (\mt_rand(0, 1) === 0 ? ' AND grp < 4' : ''),
        };
    }

    private function mark(int|string|null $value): string
    {
        $this->parameters[] = $value;
        return '?';
    }

    private function id(): string
    {
        return $this->mark(\mt_rand(0, 2) === 0 ? (string) \mt_rand(0, 1000) : $this->ids[\mt_rand(0, \count($this->ids) - 1)]);
    }
}
