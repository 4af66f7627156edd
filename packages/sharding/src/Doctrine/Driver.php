<?php

declare(strict_types=1);

namespace Sluice\Sharding\Doctrine;

use Doctrine\DBAL\Driver\AbstractMySQLDriver;
use Doctrine\DBAL\Driver\PDO\Connection;
use Sluice\Sharding\{KeyspaceFile, PDO, TransactionMode};

/**
 * Doctrine on a keyspace: `'driverClass' => Driver::class`, and in `driverOptions` the `keyspace`, which is a Keyspace or the path of a file
 * that returns one, the `target` as in USE, and `transactions`, a TransactionMode or the name of one.
 */
final class Driver extends AbstractMySQLDriver
{
    public function connect(#[\SensitiveParameter] array $params): Connection
    {
        $options = $params['driverOptions'] ?? [];
        $mode = $options['transactions'] ?? TransactionMode::Single;
        $target = $options['target'] ?? '';
        return new Connection(new PDO(
            KeyspaceFile::of($options['keyspace'] ?? null),
            \is_string($target) ? $target : '',
            transactions: match ($mode) {
                TransactionMode::Ordered, 'ordered' => TransactionMode::Ordered,
                TransactionMode::Xa, 'xa' => TransactionMode::Xa,
                default => TransactionMode::Single,
            },
        ));
    }
}
