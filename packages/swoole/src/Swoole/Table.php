<?php

declare(strict_types=1);

namespace Swoole;

use Sluice\Shared;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Names;

/**
 * @implements \Iterator<string|null, array<string, int|float|string>|int|float|string|bool|null>
 */
class Table implements \Iterator, \Countable
{
    public const TYPE_INT = 1;
    public const TYPE_STRING = 2;
    public const TYPE_FLOAT = 3;

    public ?int $size = null;
    public ?int $memorySize = null;
    /** @var array<string, array{int, int}> type and size */
    private array $columns = [];
    private ?Shared\Table $rows = null;
    /** @var list<string> */
    private array $keys = [];
    private int $at = 0;

    public function __construct(int $table_size, float $conflict_proportion = 0.2)
    {
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
        if ($this->rows !== null) {
            return Errors::warn('unable to add column after table has been created');
        }
        if ($name === '' || !\in_array($type, [self::TYPE_INT, self::TYPE_STRING, self::TYPE_FLOAT], true)) {
            return Errors::warn('unknown column type');
        }
        if ($type === self::TYPE_STRING && $size < 1) {
            return Errors::warn('the length of string type values has to be more than zero');
        }
        $this->columns[$name] = [$type, $type === self::TYPE_STRING ? $size : 8];
        return true;
    }

    public function create(): bool
    {
        if ($this->rows !== null) {
            return false;
        }
        if ($this->columns === []) {
            return Errors::warn('unable to create table without columns');
        }
        $row = 200 + \array_sum(\array_map(static fn(array $column): int => $column[1] + 16, $this->columns));
        $bytes = \max(1 << 20, (int) $this->size * $row * 2);
        $this->rows = new Shared\Table(Names::next('table'), \min($bytes, 64 << 30));
        $this->memorySize = $bytes;
        return true;
    }

    /** @param array<string, mixed> $value */
    public function set(string $key, array $value): bool
    {
        $key = $this->checked($key);
        $rows = $this->rows();
        if (!$rows->has($key) && $rows->count() >= (int) $this->size * 1.2) {
            return Errors::warn('failed to set(\'' . $key . '\'), unable to allocate memory');
        }
        try {
            $rows->update($key, fn(mixed $before): array => $this->merged(\is_array($before) ? $before : [], $value));
        } catch (Shared\FullException) {
            return Errors::warn("failed to set('$key'), unable to allocate memory");
        }
        return true;
    }

    /** @param array<string, mixed> $values */
    public function add(string $key, array $values): bool
    {
        return $this->rows()->add($this->checked($key), $this->merged([], $values));
    }

    /**
     * Changes a row if its columns have the expected values.
     *
     * @param array<string, mixed> $expected
     * @param array<string, mixed> $values
     */
    public function cmpset(string $key, array $expected, array $values): bool
    {
        $key = $this->checked($key);
        for ($tries = 0; $tries < 1000; ++$tries) {
            $before = $this->rows()->get($key);
            if (!\is_array($before) || !$this->has($before, $expected)) {
                return false;
            }
            if ($this->rows()->compareAndSet($key, $before, $this->merged($before, $values))) {
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
        $key = $this->checked($key);
        $before = $this->rows()->get($key);
        return \is_array($before) && $this->has($before, $expected) && $this->rows()->compareAndRemove($key, $before);
    }

    /** @param array<string, mixed> $values */
    public function update(string $key, array $values): bool
    {
        return $this->exists($key) && $this->set($key, $values);
    }

    /** @return array<string, int|float|string>|false|string|float|int */
    public function get(string $key, ?string $field = null): array|false|string|float|int
    {
        $row = $this->rows()->get($this->checked($key));
        if (!\is_array($row)) {
            return false;
        }
        /** @var array<string, int|float|string> $row */
        return $field === null ? $row : ($row[$field] ?? false);
    }

    /** @return array<string, int|float|string>|false|string|float|int */
    public function getdel(string $key, ?string $field = null): array|false|string|float|int
    {
        $value = $this->get($key, $field);
        $this->del($key);
        return $value;
    }

    public function del(string $key): bool
    {
        return $this->rows()->remove($this->checked($key));
    }

    public function delete(string $key): bool
    {
        return $this->del($key);
    }

    public function exists(string $key): bool
    {
        return $this->rows()->has($this->checked($key));
    }

    public function exist(string $key): bool
    {
        return $this->exists($key);
    }

    public function incr(string $key, string $column, int|float $incrby = 1): false|float|int
    {
        $type = $this->columns[$column][0] ?? null;
        if ($type === null) {
            return Errors::warn("column[$column] does not exist");
        }
        if ($type === self::TYPE_STRING) {
            return Errors::warn('can\'t execute \'incr\' on a string type column');
        }
        $after = $this->rows()->update($this->checked($key), function (mixed $before) use ($column, $incrby, $type): array {
            $row = $this->merged(\is_array($before) ? $before : [], []);
            $value = $row[$column];
            $row[$column] = $type === self::TYPE_INT ? (int) $value + (int) $incrby : (float) $value + (float) $incrby;
            return $row;
        });
        $value = $after[$column];
        return \is_string($value) ? false : $value;
    }

    public function decr(string $key, string $column, int|float $incrby = 1): false|float|int
    {
        return $this->incr($key, $column, -$incrby);
    }

    public function count(): int
    {
        return $this->rows === null ? 0 : $this->rows->count();
    }

    public function destroy(): bool
    {
        $this->rows()->clear();
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
        if ($this->rows === null) {
            return false;
        }
        $stats = $this->rows->stats();
        return [
            'num' => $stats->entries, 'conflict_count' => 0, 'conflict_max_level' => 0, 'insert_count' => $stats->entries, 'update_count' => 0, 'delete_count' => 0,
            'available_slice_num' => \max(0, (int) $this->size - $stats->entries), 'total_slice_num' => (int) $this->size,
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

    private function rows(): Shared\Table
    {
        return $this->rows ?? throw new \Error('must call Swoole\Table->create() before using the table');
    }

    private function checked(string $key): string
    {
        if (\strlen($key) > 63) {
            Errors::warn('key[' . $key . '] is too long', \SWOOLE_ERROR_NAME_TOO_LONG);
            return \substr($key, 0, 63);
        }
        return $key === '' ? "\0" : $key;
    }

    /**
     * @param array<mixed> $row
     * @param array<mixed> $values
     * @return array<string, int|float|string>
     */
    private function merged(array $row, array $values): array
    {
        $merged = [];
        foreach ($this->columns as $name => [$type, $size]) {
            $value = $values[$name] ?? $row[$name] ?? null;
            $value = \is_scalar($value) ? $value : '';
            $merged[$name] = match ($type) {
                self::TYPE_INT => (int) $value,
                self::TYPE_FLOAT => (float) $value,
                default => $this->fitting($name, (string) $value, $size),
            };
        }
        return $merged;
    }

    /**
     * @param array<mixed> $row
     * @param array<mixed> $expected
     */
    private function has(array $row, array $expected): bool
    {
        foreach ($expected as $name => $value) {
            if (!\array_key_exists($name, $row) || $row[$name] !== $value) {
                return false;
            }
        }
        return true;
    }

    private function fitting(string $column, string $value, int $size): string
    {
        if (\strlen($value) > $size) {
            Errors::warn("[$column] is too long, will be truncated");
            return \substr($value, 0, $size);
        }
        return $value;
    }
}
