<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Sql\{FetchModes, Plan, Planner};

/**
 * A PDO whose SQL goes to the shards that it is about. What cannot be routed for certain throws Sql\Unsupported before a shard is asked.
 * Outside of a transaction each statement borrows a connection; a transaction keeps those of the shards it has touched.
 *
 * One object is one session, as one PDO is: each request has its own. They are cheap, for connections and parsed statements belong to the
 * keyspace.
 */
class PDO extends \PDO
{
    /** @var \WeakMap<Keyspace, Planner>|null parsed statements, which all sessions of a keyspace share */
    private static ?\WeakMap $planners = null;
    /** @internal */
    public readonly Session $session;
    private readonly Planner $planner;
    /** @var array<int, mixed> */
    private array $attributes;
    /** @var array<int, FetchModes> without arguments, as these attributes have them */
    private array $modes = [];

    /**
     * @param string $target as in `USE`: `main`, `main:-80`, `main@replica`; '' for all shards' primaries
     * @param array<int, mixed> $attributes of PDO: ATTR_DEFAULT_FETCH_MODE, ATTR_CASE, ATTR_STRINGIFY_FETCHES and MYSQL_ATTR_USE_BUFFERED_QUERY have their meaning
     * @param TransactionMode $transactions what beginTransaction() begins
     * @param bool $readsItsWrites whether reads from replicas wait for what this session has written
     */
    public function __construct(
        private readonly Keyspace $keyspace,
        string $target = '',
        array $attributes = [],
        private readonly TransactionMode $transactions = TransactionMode::Single,
        bool $readsItsWrites = true,
    ) {
        /** @var \WeakMap<Keyspace, Planner> $planners */
        $planners = self::$planners ??= new \WeakMap();
        $this->planner = $planners[$keyspace] ??= new Planner($keyspace);
        $this->session = new Session($keyspace, $this->planner, $readsItsWrites);
        $this->attributes = $attributes + [\PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_BOTH];
        $this->session->setBuffered((bool) ($attributes[\PDO::MYSQL_ATTR_USE_BUFFERED_QUERY] ?? true));
        if ($target !== '') {
            $this->session->useTarget($target);
        }
    }

    /**
     * How a statement would be executed.
     *
     * @throws Sql\Unsupported
     */
    public function plan(string $sql): Plan
    {
        return $this->planner->plan($sql);
    }

    /** @param array<mixed> $options not used */
    public function prepare(string $query, array $options = []): Statement
    {
        return new Statement($this, $query);
    }

    /**
     * @throws ShardingException when it is refused, or a key is wrong
     * @throws \PDOException of a shard
     */
    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): Statement
    {
        $statement = new Statement($this, $query);
        $statement->execute();
        if ($fetchMode !== null) {
            $statement->setFetchMode($fetchMode, ...$fetchModeArgs);
        }
        return $statement;
    }

    /**
     * @return int how many rows were changed, on all shards together
     * @throws ShardingException when it is refused, or a key is wrong
     * @throws \PDOException of a shard
     */
    public function exec(string $statement): int
    {
        $result = $this->session->execute($statement);
        $result->close();
        return $result->columnCount === 0 ? $result->rowCount : 0;
    }

    /** @param TransactionMode|null $mode null: the one of the constructor */
    public function beginTransaction(?TransactionMode $mode = null): bool
    {
        $this->session->begin($mode ?? $this->transactions);
        return true;
    }

    public function commit(): bool
    {
        $this->session->commit();
        return true;
    }

    public function rollBack(): bool
    {
        $this->session->rollBack();
        return true;
    }

    public function inTransaction(): bool
    {
        return $this->session->transaction() !== null;
    }

    /** The first number that a sequence has given for the last INSERT, or the shard's own. */
    public function lastInsertId(?string $name = null): string
    {
        return $this->session->lastInsertId();
    }

    /** For UTF-8 and other character sets that extend ASCII. With the sql_mode NO_BACKSLASH_ESCAPES use parameters. */
    public function quote(string $string, int $type = \PDO::PARAM_STR): string
    {
        return "'" . \strtr($string, ["\0" => '\0', "\n" => '\n', "\r" => '\r', '\\' => '\\\\', "'" => "\\'", '"' => '\"', "\x1a" => '\Z']) . "'";
    }

    /** @internal */
    public function fetchModes(int $mode): FetchModes
    {
        return $this->modes[$mode] ??= FetchModes::of($mode, $this);
    }

    public function getAttribute(int $attribute): mixed
    {
        return match ($attribute) {
            \PDO::ATTR_DRIVER_NAME => 'mysql',
            \PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION,
            \PDO::ATTR_AUTOCOMMIT => 1,
            \PDO::ATTR_PERSISTENT => false,
            \PDO::ATTR_SERVER_VERSION, \PDO::ATTR_CLIENT_VERSION, \PDO::ATTR_CONNECTION_STATUS, \PDO::ATTR_SERVER_INFO
                => $this->keyspace->shards()[0]->use(static fn(\PDO $db): mixed => $db->getAttribute($attribute), isRead: true),
            default => $this->attributes[$attribute] ?? null,
        };
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        if ($attribute === \PDO::ATTR_ERRMODE && $value !== \PDO::ERRMODE_EXCEPTION) {
            throw new ShardingException('Sharding\PDO always throws: PDO::ATTR_ERRMODE can only be PDO::ERRMODE_EXCEPTION.');
        }
        if ($attribute === \PDO::MYSQL_ATTR_USE_BUFFERED_QUERY) {
            $this->session->setBuffered((bool) $value);
        }
        $this->attributes[$attribute] = $value;
        $this->modes = [];
        return true;
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
}
