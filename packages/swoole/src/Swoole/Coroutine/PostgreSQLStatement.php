<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

/** A result of Coroutine\PostgreSQL, or a statement that was prepared. */
class PostgreSQLStatement
{
    public ?string $error = null;
    public int $errCode = 0;
    public int $resultStatus = 0;
    /** @var array<string, string|null>|null */
    public ?array $resultDiag = null;
    /** @var list<string>|null */
    public ?array $notices = null;
    private int $row = 0;

    /** @internal */
    public function __construct(private readonly PostgreSQL $client, private readonly \PgSql\Connection $connection, private readonly ?string $name, private ?\PgSql\Result $result) {}

    /** @param array<mixed> $params */
    public function execute(array $params = [], float $timeout = -1): bool
    {
        if ($this->name === null || !\pg_send_execute($this->connection, $this->name, \array_values($params))) {
            return false;
        }
        $result = $this->client->take($this->connection);
        $this->error = $this->client->error === '' ? null : $this->client->error;
        $this->errCode = $this->client->errCode;
        $this->resultStatus = $this->client->resultStatus;
        $this->resultDiag = $this->client->resultDiag;
        $this->notices = $this->client->notices;
        $this->result = $result === false ? null : $result;
        $this->row = 0;
        return $result !== false;
    }

    /** @return list<array<int|string, mixed>>|false */
    public function fetchAll(int $result_type = \SW_PGSQL_ASSOC): array|false
    {
        if ($this->result === null) {
            return false;
        }
        $all = [];
        for ($row = 0, $rows = \pg_num_rows($this->result); $row < $rows; ++$row) {
            $all[] = $this->rowOf($this->result, $row, $result_type);
        }
        return $all;
    }

    public function affectedRows(): int
    {
        return $this->result === null ? 0 : \pg_affected_rows($this->result);
    }

    public function numRows(): int
    {
        return $this->result === null ? 0 : \pg_num_rows($this->result);
    }

    public function fieldCount(): int
    {
        return $this->result === null ? 0 : \pg_num_fields($this->result);
    }

    /** @param array<mixed> $ctor_params */
    public function fetchObject(?int $row = null, ?string $class_name = null, array $ctor_params = []): object|false
    {
        $values = $this->next($row, \SW_PGSQL_ASSOC);
        if ($values === false) {
            return false;
        }
        $class = $class_name ?? \stdClass::class;
        if (!\class_exists($class)) {
            throw new \Error("Class \"$class\" not found");
        }
        $object = $ctor_params === [] ? new $class() : new $class(...$ctor_params);
        foreach ($values as $name => $value) {
            $object->{$name} = $value;
        }
        return $object;
    }

    /** @return array<int|string, mixed>|false */
    public function fetchAssoc(?int $row = null, int $result_type = \SW_PGSQL_ASSOC): array|false
    {
        return $this->next($row, $result_type);
    }

    /** @return array<int|string, mixed>|false */
    public function fetchArray(?int $row = null, int $result_type = \SW_PGSQL_BOTH): array|false
    {
        return $this->next($row, $result_type);
    }

    /** @return array<int|string, mixed>|false */
    public function fetchRow(?int $row = null, int $result_type = \SW_PGSQL_NUM): array|false
    {
        return $this->next($row, $result_type);
    }

    /** @return array<int|string, mixed>|false */
    private function next(?int $row, int $type): array|false
    {
        $this->row = $row ?? $this->row;
        if ($this->result === null || $this->row < 0 || $this->row >= \pg_num_rows($this->result)) {
            return false;
        }
        return $this->rowOf($this->result, $this->row++, $type);
    }

    /** @return array<int|string, mixed> */
    private function rowOf(\PgSql\Result $result, int $row, int $type): array
    {
        $values = [];
        foreach (\pg_fetch_row($result, $row) ?: [] as $number => $text) {
            $number = (int) $number;
            $value = \is_string($text) ? self::typed(\pg_field_type($result, $number), $text) : null;
            if (($type & \SW_PGSQL_NUM) !== 0) {
                $values[$number] = $value;
            }
            if (($type & \SW_PGSQL_ASSOC) !== 0) {
                $values[\pg_field_name($result, $number)] = $value;
            }
        }
        return $values;
    }

    private static function typed(string $type, string $text): int|float|bool|string
    {
        return match ($type) {
            'int2', 'int4', 'int8', 'oid' => (int) $text,
            'float4', 'float8' => (float) $text,
            'bool' => $text === 't',
            default => $text,
        };
    }
}
