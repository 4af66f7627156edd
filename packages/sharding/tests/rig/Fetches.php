<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\rig;

/** Reads a result by one fetch mode or another, and makes it comparable: types count, the order counts where it is determined. */
final class Fetches
{
    private int $number = 0;

    public function text(\PDOStatement $statement, Query $query): string
    {
        $mode = [\PDO::FETCH_NUM, \PDO::FETCH_ASSOC, \PDO::FETCH_BOTH, \PDO::FETCH_OBJ][\crc32($query->sql) % 4];
        $rows = [];
        $all = ++$this->number % 2 === 0 ? $statement->fetchAll($mode) : \iterator_to_array(self::one($statement, $mode), false);
        foreach ($all as $row) {
            $row = (array) $row;
            $at = 0;
            foreach ($row as $key => $value) {
                // Columns of one name are one field of a row, so that places do not count.
                $isLoose = \in_array($at, $query->loose, true) || (\count($row) !== $statement->columnCount() && $query->loose !== []);
                $row[$key] = match (true) {
                    \is_float($value) => \sprintf('float %.10g', $value),
                    \is_string($value) && \preg_match('//u', $value) !== 1 => 'x' . \bin2hex($value),
                    $isLoose && \is_string($value) => 'like ' . self::fold($value),
                    default => $value,
                };
                ++$at;
            }
            $rows[] = \json_encode($row, \JSON_THROW_ON_ERROR);
        }
        if (!$query->isOrdered) {
            \sort($rows);
        }
        return '[' . \implode(', ', $rows) . ']';
    }

    /** What texts have in common that a collation may take for one. */
    private static function fold(string $text): string
    {
        $folded = \Transliterator::create('NFD; [:Nonspacing Mark:] Remove; NFC; Lower')?->transliterate($text);
        return \rtrim(\str_replace(['ß', 'ss'], 's', \is_string($folded) ? $folded : $text), ' ');
    }

    /** @return \Generator<int, mixed> */
    private static function one(\PDOStatement $statement, int $mode): \Generator
    {
        while (($row = $statement->fetch($mode)) !== false) {
            yield $row;
        }
    }
}
