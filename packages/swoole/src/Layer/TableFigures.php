<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Shared\Counter;
use Sluice\Shared\Table;

/** What all processes know of a Swoole\Table beside its rows. All tables have their figures in one table: a server has room for some hundred. */
final class TableFigures
{
    private static ?Table $all = null;
    /** How many tables were destroyed. */
    private static ?Counter $destroyed = null;
    private int $seen = 0;
    private bool $isDestroyed = false;

    public function __construct(private readonly string $table)
    {
        self::$all ??= new Table('swoole.tables', 4 << 20);
        self::$destroyed ??= new Counter('swoole.tables.destroyed');
    }

    public function add(string $figure): void
    {
        self::$all?->increment("$this->table.$figure");
    }

    public function get(string $figure): int
    {
        $value = self::$all?->get("$this->table.$figure", 0);
        return \is_int($value) ? $value : 0;
    }

    public function destroy(): void
    {
        $this->add('destroyed');
        self::$destroyed?->add();
    }

    public function isDestroyed(): bool
    {
        $now = self::$destroyed?->get() ?? 0;
        if ($now !== $this->seen) {
            $this->seen = $now;
            $this->isDestroyed = $this->get('destroyed') > 0;
        }
        return $this->isDestroyed;
    }
}
