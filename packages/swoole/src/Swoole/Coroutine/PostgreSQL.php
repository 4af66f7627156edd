<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\Errors;

/** The client of 5.1, over the extension pgsql, whose calls suspend. */
class PostgreSQL
{
    public string $error = '';
    public int $errCode = 0;
    public int $resultStatus = 0;
    /** @var array<string, string|null>|null of the last error */
    public ?array $resultDiag = null;
    /** @var list<string>|null what the server has said beside the last result */
    public ?array $notices = null;
    private ?\PgSql\Connection $connection = null;
    private int $prepared = 0;

    /** @param string $conninfo as libpq takes it, such as "host=127.0.0.1 dbname=test user=u password=p" */
    public function connect(string $conninfo, float $timeout = 2): bool
    {
        $seconds = $timeout > 0 && !\str_contains($conninfo, 'connect_timeout') ? ' connect_timeout=' . \max(2, (int) \ceil($timeout)) : '';
        \set_error_handler(function (int $level, string $text): bool {
            $this->error = \preg_replace('/^pg_connect\(\): (Unable to connect to PostgreSQL server: )?/', '', $text) ?? $text;
            return true;
        });
        try {
            $connection = \pg_connect($conninfo . $seconds, \PGSQL_CONNECT_FORCE_NEW);
        } finally {
            \restore_error_handler();
        }
        if ($connection === false) {
            $this->errCode = 1;
            return Errors::fail($this->errCode);
        }
        $this->connection = $connection;
        $this->error = '';
        $this->errCode = 0;
        return true;
    }

    public function query(string $sql): PostgreSQLStatement|false
    {
        $connection = $this->connection;
        if ($connection === null || !\pg_send_query($connection, $sql)) {
            return $this->notConnected();
        }
        $result = $this->take($connection);
        return $result === false ? false : new PostgreSQLStatement($this, $connection, null, $result);
    }

    public function prepare(string $query): PostgreSQLStatement|false
    {
        $connection = $this->connection;
        $name = 'swoole_' . ++$this->prepared;
        if ($connection === null || !\pg_send_prepare($connection, $name, $query)) {
            return $this->notConnected();
        }
        return $this->take($connection) === false ? false : new PostgreSQLStatement($this, $connection, $name, null);
    }

    public function escape(string $string): false|string
    {
        return $this->connection === null ? $this->notConnected() : \pg_escape_string($this->connection, $string);
    }

    public function escapeLiteral(string $string): false|string
    {
        return $this->connection === null ? $this->notConnected() : \pg_escape_literal($this->connection, $string);
    }

    public function escapeIdentifier(string $string): false|string
    {
        return $this->connection === null ? $this->notConnected() : \pg_escape_identifier($this->connection, $string);
    }

    /** @return array<string, array<string, mixed>>|false the columns of a table */
    public function metaData(string $table_name): false|array
    {
        if ($this->connection === null) {
            return $this->notConnected();
        }
        /** @var array<string, array<string, mixed>>|false $columns */
        $columns = \pg_meta_data($this->connection, $table_name);
        return $columns;
    }

    /**
     * The last result that the server sends for what was sent to it; false, with what went wrong in the properties.
     *
     * @internal
     */
    public function take(\PgSql\Connection $connection): \PgSql\Result|false
    {
        $last = false;
        while (($result = \pg_get_result($connection)) !== false) {
            $last = $result;
        }
        $notices = \pg_last_notice($connection, \PGSQL_NOTICE_ALL);
        $this->notices = $notices === [] ? null : $notices;
        \pg_last_notice($connection, \PGSQL_NOTICE_CLEAR);
        if ($last === false) {
            return $this->notConnected();
        }
        $this->resultStatus = (int) \pg_result_status($last);
        $error = (string) \pg_result_error($last);
        if ($error === '') {
            $this->error = '';
            $this->errCode = 0;
            $this->resultDiag = null;
            return $last;
        }
        $this->error = $error;
        $this->errCode = $this->resultStatus;
        $field = static fn(int $number): ?string => \is_string($text = \pg_result_error_field($last, $number)) ? $text : null;
        $this->resultDiag = [
            'severity' => $field(\PGSQL_DIAG_SEVERITY), 'sqlstate' => $field(\PGSQL_DIAG_SQLSTATE), 'message_primary' => $field(\PGSQL_DIAG_MESSAGE_PRIMARY),
            'message_detail' => $field(\PGSQL_DIAG_MESSAGE_DETAIL), 'message_hint' => $field(\PGSQL_DIAG_MESSAGE_HINT), 'statement_position' => $field(\PGSQL_DIAG_STATEMENT_POSITION),
        ];
        return Errors::fail($this->errCode);
    }

    private function notConnected(): false
    {
        $this->error = $this->connection === null ? 'the client is not connected' : \pg_last_error($this->connection);
        $this->errCode = 1;
        return Errors::fail($this->errCode);
    }
}
