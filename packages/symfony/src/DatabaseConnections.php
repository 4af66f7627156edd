<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Doctrine\DBAL\Connection;
use Psr\Container\ContainerInterface;

/**
 * The connections of Doctrine that a kernel has open.
 *
 * @internal
 */
final class DatabaseConnections
{
    /** Rolls back what a request has begun and not ended. */
    public static function rollBack(ContainerInterface $container): void
    {
        foreach (self::connected($container) as $connection) {
            try {
                while ($connection->isTransactionActive()) {
                    $connection->rollBack();
                }
            } catch (\Throwable) {
                $connection->close();
            }
        }
    }

    /** Closes all, whatever state a request has left them in: Doctrine connects again when it next has a query. */
    public static function close(ContainerInterface $container): void
    {
        foreach (self::connected($container) as $connection) {
            $connection->close();
        }
    }

    /** Closes connections on which nobody answers any more. */
    public static function giveUpLost(ContainerInterface $container): void
    {
        foreach (self::connected($container) as $connection) {
            try {
                $connection->executeQuery($connection->getDatabasePlatform()->getDummySelectSQL())->free();
            } catch (\Throwable) {
                $connection->close();
            }
        }
    }

    /** @return iterable<Connection> */
    private static function connected(ContainerInterface $container): iterable
    {
        if (!$container instanceof \Symfony\Component\DependencyInjection\ContainerInterface || !$container->hasParameter('doctrine.connections')) {
            return;
        }
        $ids = $container->getParameter('doctrine.connections');
        foreach (\is_array($ids) ? $ids : [] as $id) {
            $connection = \is_string($id) && $container->initialized($id) ? $container->get($id) : null;
            if ($connection instanceof Connection && $connection->isConnected()) {
                yield $connection;
            }
        }
    }
}
