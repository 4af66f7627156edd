<?php

declare(strict_types=1);

namespace Swoole\Coroutine\MySQL;

use Sluice\Swoole\Errors;
use Swoole\Coroutine\MySQL;

class Statement
{
    public int $id = 0;
    public int $affected_rows = 0;
    public int $insert_id = 0;
    public string $error = '';
    public int $errno = 0;
    /** @var list<array<mixed>> */
    private array $rows = [];

    /** @internal */
    public function __construct(private readonly \mysqli_stmt $statement, private readonly MySQL $client)
    {
        $this->id = $statement->id;
    }

    /**
     * @param array<mixed> $params
     * @return list<array<mixed>>|bool
     */
    public function execute(array $params = [], float $timeout = -1): array|bool
    {
        $done = $params === [] ? $this->statement->execute() : $this->statement->execute(\array_values($params));
        $this->client->note($this->statement);
        [$this->errno, $this->error] = [$this->statement->errno, $this->statement->error];
        [$this->affected_rows, $this->insert_id] = [(int) $this->statement->affected_rows, (int) $this->statement->insert_id];
        if (!$done) {
            return Errors::fail($this->errno);
        }
        $result = $this->statement->get_result();
        if ($result === false) {
            return true;
        }
        $rows = $result->fetch_all(\MYSQLI_ASSOC);
        if (($this->client->serverInfo['fetch_mode'] ?? false) === true) {
            $this->rows = $rows;
            return true;
        }
        return $rows;
    }

    /** @return array<mixed>|null|false */
    public function fetch(float $timeout = -1): array|null|false
    {
        return $this->rows === [] ? null : \array_shift($this->rows);
    }

    /** @return list<array<mixed>>|false */
    public function fetchAll(float $timeout = -1): array|false
    {
        [$rows, $this->rows] = [$this->rows, []];
        return $rows;
    }

    public function nextResult(float $timeout = -1): ?bool
    {
        return null;
    }

    public function close(): bool
    {
        return $this->statement->close();
    }
}
