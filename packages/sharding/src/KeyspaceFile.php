<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Keyspaces that configurations name by the file that returns them, such as sharding.php: each is made once in a process. */
final class KeyspaceFile
{
    /** @var array<string, Keyspace> */
    private static array $keyspaces = [];

    /**
     * @param mixed $keyspace a Keyspace, or the path of a file that returns one
     * @throws ConfigurationException when it is neither
     */
    public static function of(mixed $keyspace): Keyspace
    {
        if ($keyspace instanceof Keyspace) {
            return $keyspace;
        }
        $path = \is_string($keyspace) ? \realpath($keyspace) : false;
        if ($path === false) {
            throw new ConfigurationException('There is no file ' . (\is_string($keyspace) ? "\"$keyspace\"" : \get_debug_type($keyspace)) . ' that returns the keyspace. Write one: <?php return Sluice\Sharding\Keyspace::of(…);');
        }
        $made = self::$keyspaces[$path] ?? require $path;
        return $made instanceof Keyspace ? self::$keyspaces[$path] = $made : throw new ConfigurationException("The file $path returns no Sluice\\Sharding\\Keyspace.");
    }
}
