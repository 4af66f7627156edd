<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\ShardingException;

/** A row, as PDO's fetch modes give it. */
final class FetchModes
{
    /** @param list<mixed> $args of setFetchMode() or fetchAll() */
    private function __construct(private readonly int $mode, private readonly array $args, private readonly bool $stringifies, private readonly int $case) {}

    /**
     * @param list<mixed> $args
     * @throws ShardingException for a mode that is not supported
     */
    public static function of(mixed $mode, \PDO $pdo, array $args = []): self
    {
        $mode = \is_int($mode) ? $mode : \PDO::FETCH_BOTH;
        $plain = $mode & ~(\PDO::FETCH_GROUP | \PDO::FETCH_UNIQUE | \PDO::FETCH_PROPS_LATE);
        $known = [\PDO::FETCH_ASSOC, \PDO::FETCH_NUM, \PDO::FETCH_BOTH, \PDO::FETCH_OBJ, \PDO::FETCH_COLUMN, \PDO::FETCH_KEY_PAIR, \PDO::FETCH_CLASS, \PDO::FETCH_INTO, \PDO::FETCH_FUNC, \PDO::FETCH_NAMED];
        if (!\in_array($plain, $known, true)) {
            throw new ShardingException("The fetch mode $mode is not supported by Sharding\\Statement. Take ASSOC, NUM, BOTH, OBJ, COLUMN, KEY_PAIR, CLASS, INTO, FUNC or NAMED.");
        }
        $case = $pdo->getAttribute(\PDO::ATTR_CASE);
        return new self($mode, $args, (bool) $pdo->getAttribute(\PDO::ATTR_STRINGIFY_FETCHES), \is_int($case) ? $case : \PDO::CASE_NATURAL);
    }

    public function needsNames(): bool
    {
        return $this->mode !== \PDO::FETCH_NUM && $this->mode !== \PDO::FETCH_COLUMN;
    }

    public function value(mixed $value): mixed
    {
        return $this->stringifies && (\is_int($value) || \is_float($value)) ? (string) $value : $value;
    }

    /**
     * @param list<mixed> $row
     * @param list<string> $names
     */
    public function row(array $row, array $names): mixed
    {
        $row = $this->stringifies ? \array_map($this->value(...), $row) : $row;
        if ($this->case !== \PDO::CASE_NATURAL) {
            $names = \array_map($this->case === \PDO::CASE_UPPER ? \strtoupper(...) : \strtolower(...), $names);
        }
        return match ($this->mode & ~(\PDO::FETCH_GROUP | \PDO::FETCH_UNIQUE | \PDO::FETCH_PROPS_LATE)) {
            \PDO::FETCH_NUM => $row,
            \PDO::FETCH_ASSOC => \array_combine($names, $row),
            \PDO::FETCH_OBJ => (object) \array_combine($names, $row),
            \PDO::FETCH_COLUMN => $row[\is_int($this->args[0] ?? null) ? $this->args[0] : 0] ?? null,
            \PDO::FETCH_KEY_PAIR => [self::key($row[0]) => $row[1] ?? null],
            \PDO::FETCH_CLASS => $this->object($row, $names),
            \PDO::FETCH_INTO => $this->into($row, $names),
            \PDO::FETCH_FUNC => \is_callable($this->args[0] ?? null) ? ($this->args[0])(...$row) : throw new ShardingException('PDO::FETCH_FUNC needs a callable.'),
            \PDO::FETCH_NAMED => self::named($row, $names),
            default => self::both($row, $names),
        };
    }

    /**
     * @param list<list<mixed>> $rows
     * @param list<string> $names
     * @return array<mixed>
     */
    public function all(array $rows, array $names): array
    {
        if ($this->mode === \PDO::FETCH_NUM && !$this->stringifies) {
            return $rows;
        }
        $all = [];
        if ($this->mode === \PDO::FETCH_KEY_PAIR) {
            foreach ($rows as $row) {
                $all[self::key($row[0])] = $this->value($row[1] ?? null);
            }
            return $all;
        }
        $isUnique = ($this->mode & \PDO::FETCH_UNIQUE) === \PDO::FETCH_UNIQUE;
        $isGroup = !$isUnique && ($this->mode & \PDO::FETCH_GROUP) !== 0;
        foreach ($rows as $row) {
            if (!$isUnique && !$isGroup) {
                $all[] = $this->row($row, $names);
                continue;
            }
            $key = self::key($row[0]);
            $value = $this->row(\array_slice($row, 1), \array_slice($names, 1));
            if ($isUnique) {
                $all[$key] = $value;
            } else {
                $all[$key] = [...(\is_array($all[$key] ?? null) ? $all[$key] : []), $value];
            }
        }
        return $all;
    }

    /**
     * @param list<mixed> $row
     * @param list<string> $names
     * @return array<mixed>
     */
    private static function both(array $row, array $names): array
    {
        $both = [];
        foreach ($row as $i => $value) {
            $both[$names[$i]] = $value;
            $both[$i] = $value;
        }
        return $both;
    }

    /**
     * @param list<mixed> $row
     * @param list<string> $names
     * @return array<string, mixed>
     */
    private static function named(array $row, array $names): array
    {
        $named = [];
        $count = \array_count_values($names);
        foreach ($row as $i => $value) {
            if ($count[$names[$i]] > 1) {
                $named[$names[$i]] = [...(\is_array($named[$names[$i]] ?? null) ? $named[$names[$i]] : []), $value];
            } else {
                $named[$names[$i]] = $value;
            }
        }
        return $named;
    }

    /**
     * @param list<mixed> $row
     * @param list<string> $names
     */
    private function object(array $row, array $names): object
    {
        $class = \is_string($this->args[0] ?? null) && \class_exists($this->args[0]) ? $this->args[0] : \stdClass::class;
        $arguments = \is_array($this->args[1] ?? null) ? $this->args[1] : [];
        $reflection = new \ReflectionClass($class);
        $isLate = ($this->mode & \PDO::FETCH_PROPS_LATE) !== 0;
        $object = $reflection->newInstanceWithoutConstructor();
        $construct = static fn(): mixed => $reflection->getConstructor()?->invokeArgs($object, $arguments);
        if ($isLate) {
            $construct();
        }
        self::set($object, $reflection, $row, $names);
        if (!$isLate) {
            $construct();
        }
        return $object;
    }

    /**
     * @param list<mixed> $row
     * @param list<string> $names
     */
    private function into(array $row, array $names): object
    {
        $object = $this->args[0] ?? null;
        if (!\is_object($object)) {
            throw new ShardingException('PDO::FETCH_INTO needs an object.');
        }
        self::set($object, new \ReflectionObject($object), $row, $names);
        return $object;
    }

    /**
     * @param \ReflectionClass<object> $class
     * @param list<mixed> $row
     * @param list<string> $names
     */
    private static function set(object $object, \ReflectionClass $class, array $row, array $names): void
    {
        foreach ($names as $i => $name) {
            if ($class->hasProperty($name)) {
                $class->getProperty($name)->setValue($object, $row[$i]);
            } else {
                $object->{$name} = $row[$i];
            }
        }
    }

    private static function key(mixed $value): int|string
    {
        return \is_int($value) ? $value : (\is_scalar($value) ? (string) $value : '');
    }
}
