<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Shared;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Log;
use Sluice\Swoole\Names;
use Sluice\Swoole\TableFigures;

/**
 * @implements \Iterator<string|null, array<string, int|float|string>|int|float|string|bool|null>
 */
class Table implements \Iterator, \Countable
{
    public const TYPE_INT = 1;
    public const TYPE_STRING = 2;
    public const TYPE_FLOAT = 3;

    private const LONGEST_KEY = 63;

    public ?int $size = null;
    public ?int $memorySize = null;
    /** @var array<string, array{int, int}> type and size */
    private array $columns = [];
    private ?Shared\Table $rows = null;
    private ?TableFigures $figures = null;
    private bool $destroyed = false;
    private int $converting = 0;
    /** @var list<string> */
    private array $keys = [];
    private int $at = 0;

    public function __construct(int $table_size, float $conflict_proportion = 0.2)
    {
        if ($this->size !== null) {
            throw new \Error('Constructor of Swoole\Table can only be called once');
        }
        if ($table_size < 0 || $conflict_proportion < 0) {
            throw new Exception('the size and the proportion of conflicts must not be negative');
        }
        $this->size = 64;
        while ($this->size < $table_size && $this->size < 1 << 30) {
            $this->size <<= 1;
        }
    }

    public function column(string $name, int $type, int $size = 0): bool
    {
        $this->checkAlive();
        if ($this->rows !== null) {
            return Errors::warn('unable to add column after table has been created');
        }
        if ($name === '' || !\in_array($type, [self::TYPE_INT, self::TYPE_STRING, self::TYPE_FLOAT], true)) {
            return Errors::warn('unknown column type');
        }
        if ($type === self::TYPE_STRING && $size < 1) {
            return Errors::warn('the length of string type values has to be more than zero');
        }
        if (isset($this->columns[$name])) {
            return Log::warn('Table::add_column', "column[$name] already exists");
        }
        $this->columns[$name] = [$type, $type === self::TYPE_STRING ? $size : 8];
        return true;
    }

    public function create(): bool
    {
        $this->checkAlive();
        if ($this->rows !== null) {
            return false;
        }
        if ($this->columns === []) {
            return Errors::warn('unable to create table without columns');
        }
        $row = 200 + \array_sum(\array_map(static fn(array $column): int => $column[1] + 16, $this->columns));
        $bytes = \max(1 << 20, (int) $this->size * $row * 2);
        if ($row > $bytes >> 10) {
            // The longest entry of a large table takes about a thousandth of it. Memory is provided as it is used.
            $bytes = \max($bytes, \min(4 << 20, $bytes) >> 4 > 2 * $row ? 0 : $row << 11);
        }
        $name = Names::next('table');
        $this->rows = new Shared\Table($name, \min($bytes, 64 << 30));
        $this->figures = new TableFigures($name);
        $this->memorySize = $bytes;
        return true;
    }

    /** @param array<string, mixed> $value */
    public function set(string $key, array $value): bool
    {
        $rows = $this->rows();
        if (!$this->takes($key)) {
            return false;
        }
        $value = $this->converted($key, $value);
        $rows = $this->rows();
        if (!$rows->has($key) && $rows->count() >= (int) $this->size * 1.2) {
            return $this->isFull($key);
        }
        $isNew = true;
        try {
            $rows->update($key, function (mixed $before) use ($value, &$isNew): array {
                $isNew = !\is_array($before);
                return $value + (\is_array($before) ? $before : $this->blank());
            });
        } catch (Shared\FullException) {
            return $this->isFull($key);
        }
        $isNew ? $this->figures?->add('insert') : $this->figures?->add('update');
        return true;
    }

    /** @param array<string, mixed> $values */
    public function add(string $key, array $values): bool
    {
        $this->rows();
        if (!$this->takes($key)) {
            return false;
        }
        $values = $this->converted($key, $values) + $this->blank();
        try {
            if (!$this->rows()->add($key, $values)) {
                return Errors::fail(\SWOOLE_ERROR_WRONG_OPERATION);
            }
        } catch (Shared\FullException) {
            return $this->isFull($key);
        }
        $this->figures?->add('insert');
        return true;
    }

    /**
     * Changes a row if its columns have the expected values.
     *
     * @param array<string, mixed> $expected
     * @param array<string, mixed> $values
     */
    public function cmpset(string $key, array $expected, array $values): bool
    {
        $this->rows();
        if (!$this->takes($key) || !$this->checkExpected($expected)) {
            return false;
        }
        $wanted = $this->converted($key, $expected, false);
        $values = $this->converted($key, $values);
        for ($tries = 0; $tries < 1000; ++$tries) {
            $before = $this->rows()->get($key);
            if (!\is_array($before) || !$this->has($before, $wanted)) {
                return false;
            }
            if ($this->rows()->compareAndSet($key, $before, $values + $before)) {
                $this->figures?->add('update');
                return true;
            }
        }
        return false;
    }

    /**
     * Removes a row if its columns have the expected values.
     *
     * @param array<string, mixed> $expected
     */
    public function cmpdel(string $key, array $expected): bool
    {
        $this->rows();
        if (!$this->takes($key) || !$this->checkExpected($expected)) {
            return false;
        }
        $wanted = $this->converted($key, $expected, false);
        $before = $this->rows()->get($key);
        if (!\is_array($before) || !$this->has($before, $wanted) || !$this->rows()->compareAndRemove($key, $before)) {
            return false;
        }
        $this->figures?->add('delete');
        return true;
    }

    /** @param array<string, mixed> $values */
    public function update(string $key, array $values): bool
    {
        $this->rows();
        if (!$this->takes($key)) {
            return false;
        }
        $values = $this->converted($key, $values);
        for ($tries = 0; $tries < 1000; ++$tries) {
            $before = $this->rows()->get($key);
            if (!\is_array($before)) {
                return false;
            }
            if ($this->rows()->compareAndSet($key, $before, $values + $before)) {
                $this->figures?->add('update');
                return true;
            }
        }
        return false;
    }

    /** @return array<string, int|float|string>|false|string|float|int */
    public function get(string $key, ?string $field = null): array|false|string|float|int
    {
        $rows = $this->rows();
        $row = $this->takes($key) ? $rows->get($key) : null;
        if (!\is_array($row)) {
            return false;
        }
        return $field === null ? $this->ordered($row) : ($this->ordered($row)[$field] ?? false);
    }

    /** @return array<string, int|float|string>|false|string|float|int */
    public function getdel(string $key, ?string $field = null): array|false|string|float|int
    {
        if ($field !== null && !isset($this->columns[$field])) {
            $this->rows();
            return false;
        }
        $value = $this->get($key, $field);
        if ($value !== false) {
            $this->del($key);
        }
        return $value;
    }

    public function del(string $key): bool
    {
        $rows = $this->rows();
        if (!$this->takes($key) || !$rows->remove($key)) {
            return false;
        }
        $this->figures?->add('delete');
        return true;
    }

    public function delete(string $key): bool
    {
        return $this->del($key);
    }

    public function exists(string $key): bool
    {
        $rows = $this->rows();
        return $this->takes($key) && $rows->has($key);
    }

    public function exist(string $key): bool
    {
        return $this->exists($key);
    }

    public function incr(string $key, string $column, mixed $incrby = 1): false|float|int
    {
        return $this->change($key, $column, $incrby, 1);
    }

    public function decr(string $key, string $column, mixed $incrby = 1): false|float|int
    {
        return $this->change($key, $column, $incrby, -1);
    }

    public function count(int $mode = \COUNT_NORMAL): int
    {
        return $this->rows === null ? 0 : $this->rows->count();
    }

    /** Also in other processes: they cannot use it any more. */
    public function destroy(): bool
    {
        if ($this->converting > 0) {
            throw new \Error('Cannot destroy Swoole\Table during value conversion');
        }
        $this->rows()->clear();
        $this->figures?->destroy();
        $this->rows = null;
        $this->destroyed = true;
        return true;
    }

    public function getSize(): int
    {
        return (int) $this->size;
    }

    public function getMemorySize(): int
    {
        return $this->memorySize ?? 0;
    }

    /** @return array<string, int>|false */
    public function stats(): array|false
    {
        if ($this->rows === null || $this->figures === null) {
            return false;
        }
        $number = $this->rows->count();
        return [
            'num' => $number, 'conflict_count' => 0, 'conflict_max_level' => 0, 'insert_count' => $this->figures->get('insert'),
            'update_count' => $this->figures->get('update'), 'delete_count' => $this->figures->get('delete'),
            'available_slice_num' => \max(0, (int) $this->size - $number), 'total_slice_num' => (int) $this->size,
        ];
    }

    public function rewind(): void
    {
        $this->keys = $this->rows()->listKeys();
        $this->at = 0;
        $this->skip();
    }

    public function valid(): bool
    {
        return isset($this->keys[$this->at]);
    }

    public function next(): void
    {
        ++$this->at;
        $this->skip();
    }

    public function key(): mixed
    {
        return $this->keys[$this->at] ?? null;
    }

    public function current(): mixed
    {
        return isset($this->keys[$this->at]) ? $this->get($this->keys[$this->at]) : null;
    }

    /** Over rows that were removed meanwhile. */
    private function skip(): void
    {
        while (isset($this->keys[$this->at]) && !$this->rows()->has($this->keys[$this->at])) {
            ++$this->at;
        }
    }

    private function change(string $key, string $column, mixed $by, int $sign): false|float|int
    {
        $this->rows();
        if (!$this->takes($key)) {
            return false;
        }
        $type = $this->columns[$column][0] ?? null;
        if ($type === null) {
            return Errors::warn("column[$column] does not exist");
        }
        if ($type === self::TYPE_STRING) {
            return Errors::warn('can\'t execute \'' . ($sign > 0 ? 'incr' : 'decr') . '\' on a string type column');
        }
        ++$this->converting;
        try {
            $by = $type === self::TYPE_INT ? self::integer($by) : self::number($by);
        } finally {
            --$this->converting;
        }
        $isNew = true;
        $after = $this->rows()->update($key, function (mixed $before) use ($column, $by, $sign, &$isNew): array {
            $isNew = !\is_array($before);
            $row = \is_array($before) ? $before : $this->blank();
            $value = \is_int($row[$column]) || \is_float($row[$column]) ? $row[$column] : 0;
            $row[$column] = $value + $by * $sign;
            return $row;
        });
        $isNew ? $this->figures?->add('insert') : $this->figures?->add('update');
        $value = $after[$column];
        return \is_int($value) || \is_float($value) ? $value : false;
    }

    private function checkAlive(): void
    {
        if ($this->destroyed || $this->size === null) {
            throw new \Error('must call constructor first');
        }
    }

    private function rows(): Shared\Table
    {
        $this->checkAlive();
        if ($this->rows === null || $this->figures?->isDestroyed() === true) {
            throw new \Error('table is not created or has been destroyed');
        }
        return $this->rows;
    }

    private function takes(string $key): bool
    {
        if ($key === '') {
            return Errors::warn('key must not be empty', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        return \strlen($key) <= self::LONGEST_KEY
            || Errors::warn('key length exceeds the limit of ' . self::LONGEST_KEY . ' bytes', \SWOOLE_ERROR_NAME_TOO_LONG);
    }

    private function isFull(string $key): false
    {
        return Errors::warn("failed to set('$key'), unable to allocate memory");
    }

    /** @param array<mixed> $expected */
    private function checkExpected(array $expected): bool
    {
        if ($expected === []) {
            return Errors::warn('expected values must not be empty', \SWOOLE_ERROR_INVALID_PARAMS);
        }
        foreach ($expected as $name => $value) {
            if (!\is_string($name)) {
                return Errors::warn('expected values must use column names', \SWOOLE_ERROR_INVALID_PARAMS);
            }
            if (!isset($this->columns[$name])) {
                return Errors::warn("column[$name] does not exist", \SWOOLE_ERROR_INVALID_PARAMS);
            }
        }
        return true;
    }

    /** @return array<string, int|float|string> a row of which nothing was set */
    private function blank(): array
    {
        return \array_map(static fn(array $column): int|float|string => match ($column[0]) {
            self::TYPE_INT => 0,
            self::TYPE_FLOAT => 0.0,
            default => '',
        }, $this->columns);
    }

    /**
     * The columns in their order.
     *
     * @param array<mixed> $row
     * @return array<string, int|float|string>
     */
    private function ordered(array $row): array
    {
        $ordered = [];
        foreach ($this->blank() as $name => $value) {
            $has = $row[$name] ?? $value;
            $ordered[$name] = \is_int($has) || \is_float($has) || \is_string($has) ? $has : $value;
        }
        return $ordered;
    }

    /**
     * Values with the types of their columns. An object's __toString() may use the table, so nothing is locked here.
     *
     * @param array<mixed> $values
     * @return array<string, int|float|string>
     */
    private function converted(string $key, array $values, bool $cut = true): array
    {
        $converted = [];
        ++$this->converting;
        try {
            foreach ($this->columns as $name => [$type, $size]) {
                if (!\array_key_exists($name, $values)) {
                    continue;
                }
                $value = $values[$name];
                $converted[$name] = match ($type) {
                    self::TYPE_INT => self::integer($value),
                    self::TYPE_FLOAT => self::number($value),
                    default => $this->fitting($key, $name, $value instanceof \Stringable || \is_scalar($value) ? (string) $value : '', $cut ? $size : \PHP_INT_MAX),
                };
            }
        } finally {
            --$this->converting;
        }
        return $converted;
    }

    /** What PHP makes of another object, with its warning. */
    private static function one(mixed $value, string $type): int
    {
        \trigger_error('Object of class ' . \get_debug_type($value) . " could not be converted to $type", \E_USER_WARNING);
        return 1;
    }

    private static function integer(mixed $value): int
    {
        return $value instanceof \Stringable ? (int) (string) $value : (\is_scalar($value) || \is_array($value) || $value === null ? (int) $value : self::one($value, 'int'));
    }

    private static function number(mixed $value): float
    {
        return $value instanceof \Stringable ? (float) (string) $value : (\is_scalar($value) || \is_array($value) || $value === null ? (float) $value : self::one($value, 'float'));
    }

    /**
     * @param array<mixed> $row
     * @param array<mixed> $expected
     */
    private function has(array $row, array $expected): bool
    {
        foreach ($expected as $name => $value) {
            // By their bytes: NAN equals itself, and 0.0 is not -0.0.
            if (!\array_key_exists($name, $row) || \serialize($row[$name]) !== \serialize($value)) {
                return false;
            }
        }
        return true;
    }

    private function fitting(string $key, string $column, string $value, int $size): string
    {
        if (\strlen($value) > $size) {
            Log::warn('table_marshal_values', "[key=$key,field=$column]string value is too long");
            return \substr($value, 0, $size);
        }
        return $value;
    }
}
