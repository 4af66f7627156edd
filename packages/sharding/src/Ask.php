<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Short questions to a database. @internal */
final class Ask
{
    /**
     * @param list<mixed> $parameters
     * @return list<list<mixed>>
     */
    public static function rows(\PDO $db, string $sql, array $parameters = []): array
    {
        $statement = $db->prepare($sql);
        $statement->execute($parameters);
        $rows = [];
        while (\is_array($row = $statement->fetch(\PDO::FETCH_NUM))) {
            $rows[] = $row;
        }
        return $rows;
    }

    /**
     * The first column of the first row, as text; null for NULL and for no row.
     *
     * @param list<mixed> $parameters
     */
    public static function text(\PDO $db, string $sql, array $parameters = []): ?string
    {
        $value = self::rows($db, $sql, $parameters)[0][0] ?? null;
        return \is_scalar($value) ? (string) $value : null;
    }

    public static function int(mixed $value): int
    {
        return \is_scalar($value) ? (int) $value : 0;
    }
}
