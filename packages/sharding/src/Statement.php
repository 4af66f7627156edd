<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Sql\{FetchModes, Result};

/** A statement of Sharding\PDO. Its rows come from one shard, or merged from several. */
class Statement extends \PDOStatement
{
    /** @var array<int|string, mixed> by number from 0 or name */
    private array $values = [];
    /** @var array<int|string, int> */
    private array $types = [];
    private ?Result $result = null;
    private bool $hasBegun = false;
    private bool $hasEnded = false;
    private FetchModes $modes;

    /** @internal */
    public function __construct(private readonly PDO $pdo, private readonly string $sql)
    {
        $mode = $pdo->getAttribute(\PDO::ATTR_DEFAULT_FETCH_MODE);
        $this->modes = $pdo->fetchModes(\is_int($mode) ? $mode : \PDO::FETCH_BOTH);
    }

    /**
     * @param array<int|string, mixed>|null $params
     * @throws ShardingException when it is refused, or a key is wrong
     * @throws \PDOException of a shard
     */
    public function execute(?array $params = null): bool
    {
        $values = $this->values;
        $types = $this->types;
        foreach ($params ?? [] as $key => $value) {
            $key = \is_string($key) ? \ltrim($key, ':') : $key;
            $values[$key] = $value;
            unset($types[$key]);
        }
        $this->result?->close();
        $this->hasBegun = $this->hasEnded = false;
        $this->result = $this->pdo->session->execute($this->sql, $params === null ? \array_map(static fn(mixed $value) => $value, $values) : $values, $types);
        return true;
    }

    public function bindValue(int|string $param, mixed $value, int $type = \PDO::PARAM_STR): bool
    {
        $key = \is_int($param) ? $param - 1 : \ltrim($param, ':');
        unset($this->values[$key]);
        $this->values[$key] = $value;
        $this->types[$key] = $type;
        return true;
    }

    public function bindParam(int|string $param, mixed &$var, int $type = \PDO::PARAM_STR, int $maxLength = 0, mixed $driverOptions = null): bool
    {
        $key = \is_int($param) ? $param - 1 : \ltrim($param, ':');
        $this->values[$key] = &$var;
        $this->types[$key] = $type;
        return true;
    }

    public function bindColumn(int|string $column, mixed &$var, int $type = \PDO::PARAM_STR, int $maxLength = 0, mixed $driverOptions = null): bool
    {
        throw new ShardingException('Sharding\Statement::bindColumn() is not supported. Take the columns of fetch().');
    }

    public function setFetchMode(int $mode, mixed ...$args): bool
    {
        $this->modes = FetchModes::of($mode, $this->pdo, \array_values($args));
        return true;
    }

    public function fetch(int $mode = \PDO::FETCH_DEFAULT, int $cursorOrientation = \PDO::FETCH_ORI_NEXT, int $cursorOffset = 0): mixed
    {
        if ($cursorOrientation !== \PDO::FETCH_ORI_NEXT) {
            throw new ShardingException('Sharding\Statement::fetch() goes forwards only (PDO::FETCH_ORI_NEXT).');
        }
        $row = $this->next();
        $modes = $this->mode($mode);
        return $row === null ? false : $modes->row($row, $this->names($modes));
    }

    /** @return array<mixed> */
    public function fetchAll(int $mode = \PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        $rows = [];
        if (!$this->hasBegun && $this->result?->rows instanceof \ArrayIterator) {
            /** @var list<list<mixed>> $rows */
            $rows = $this->result->rows->getArrayCopy();
            $this->hasBegun = $this->hasEnded = true;
            $this->closeResult();
        }
        while (($row = $this->next()) !== null) {
            $rows[] = $row;
        }
        $modes = $this->mode($mode, \array_values($args));
        return $modes->all($rows, $this->names($modes));
    }

    public function fetchColumn(int $column = 0): mixed
    {
        $row = $this->next();
        if ($row !== null && !\array_key_exists($column, $row)) {
            throw new \ValueError("Invalid column index $column: there are " . \count($row) . ' columns');
        }
        return $row === null ? false : $this->modes->value($row[$column]);
    }

    /**
     * @template T of object
     * @param class-string<T>|null $class
     * @param array<mixed> $constructorArgs
     * @return ($class is null ? \stdClass|false : T|false)
     */
    public function fetchObject(?string $class = 'stdClass', array $constructorArgs = []): object|false
    {
        $row = $this->next();
        if ($row === null) {
            return false;
        }
        $object = FetchModes::of(\PDO::FETCH_CLASS, $this->pdo, [$class ?? 'stdClass', $constructorArgs])->row($row, $this->result?->names() ?? []);
        return $object instanceof ($class ?? 'stdClass') ? $object : false;
    }

    public function rowCount(): int
    {
        return $this->result->rowCount ?? 0;
    }

    public function columnCount(): int
    {
        return $this->result->columnCount ?? 0;
    }

    /** @return array<string, mixed>|false */
    public function getColumnMeta(int $column): array|false
    {
        return $this->result?->columns()[$column] ?? false;
    }

    public function closeCursor(): bool
    {
        $this->result?->close();
        $this->result = null;
        return true;
    }

    public function nextRowset(): bool
    {
        return false;
    }

    public function getIterator(): \Iterator
    {
        while (($row = $this->next()) !== null) {
            yield $this->modes->row($row, $this->names($this->modes));
        }
    }

    /** @return list<string> what SCATTER_ERRORS_AS_WARNINGS has left out */
    public function warnings(): array
    {
        return $this->result->warnings ?? [];
    }

    public function getAttribute(int $name): mixed
    {
        return null;
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        return false;
    }

    public function errorCode(): ?string
    {
        return '00000';
    }

    /** @return array{string, null, null} */
    public function errorInfo(): array
    {
        return ['00000', null, null];
    }

    public function debugDumpParams(): ?bool
    {
        \printf("SQL: [%d] %s\nParams:  %d\n", \strlen($this->sql), $this->sql, \count($this->values));
        return null;
    }

    /** @return list<mixed>|null */
    private function next(): ?array
    {
        $rows = $this->result?->rows;
        if ($rows === null || $this->hasEnded) {
            return null;
        }
        if ($this->hasBegun) {
            $rows->next();
        } else {
            $this->hasBegun = true;
        }
        if (!$rows->valid()) {
            $this->hasEnded = true;
            $this->closeResult();
            return null;
        }
        return $rows->current();
    }

    private function closeResult(): void
    {
        $this->result?->close();
    }

    /** @return list<string> the columns' names; none when nothing is named by them */
    private function names(FetchModes $modes): array
    {
        return $this->result === null || !$modes->needsNames() ? [] : $this->result->names();
    }

    /** @param list<mixed> $args */
    private function mode(int $mode, array $args = []): FetchModes
    {
        return $mode === \PDO::FETCH_DEFAULT ? $this->modes : ($args === [] ? $this->pdo->fetchModes($mode) : FetchModes::of($mode, $this->pdo, $args));
    }
}
