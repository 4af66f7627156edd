<?php

declare(strict_types=1);

namespace Sluice\Sharding\Binlog;

use Sluice\Sharding\ShardingException;

/** What the log says of a table before its rows: types, and how long their values are. @internal */
final class TableMap
{
    private const VARIABLE_TWO = [15, 16, 253, 254, 247, 248, 246];
    private const VARIABLE_ONE = [4, 5, 17, 18, 19, 245, 249, 250, 251, 252, 255];
    private const FIXED = [1 => 1, 2 => 2, 3 => 4, 4 => 4, 5 => 8, 6 => 0, 7 => 4, 8 => 8, 9 => 3, 10 => 3, 11 => 3, 12 => 8, 13 => 1, 14 => 3];
    /** How many bytes so many decimal digits take. */
    private const DIGITS = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];

    /**
     * @param list<int> $types by MySQL's numbers
     * @param list<int> $meta of each type
     */
    private function __construct(public readonly string $schema, public readonly string $table, public readonly array $types, private readonly array $meta) {}

    /** @param string $body of a TABLE_MAP event behind the table's number and the flags */
    public static function parse(string $body): self
    {
        $length = \ord($body[0]);
        $schema = \substr($body, 1, $length);
        $at = $length + 2;
        $length = \ord($body[$at]);
        $table = \substr($body, $at + 1, $length);
        $at += $length + 2;
        $count = self::number($body, $at);
        $types = [];
        foreach (\str_split(\substr($body, $at, $count)) as $byte) {
            $types[] = \ord($byte);
        }
        $at += $count;
        self::number($body, $at);
        $meta = [];
        foreach ($types as $type) {
            // A text's length has its low byte first, what a STRING really is comes before its length.
            $isTwo = \in_array($type, self::VARIABLE_TWO, true);
            $meta[] = match (true) {
                $isTwo && \in_array($type, [15, 16, 253], true) => \ord($body[$at]) | \ord($body[$at + 1]) << 8,
                $isTwo => \ord($body[$at]) << 8 | \ord($body[$at + 1]),
                \in_array($type, self::VARIABLE_ONE, true) => \ord($body[$at]),
                isset(self::FIXED[$type]) => 0,
                default => throw new ShardingException("A column of the table $schema.$table has the type $type, which is not known in the binary log. Reshard by triggers."),
            };
            $at += $isTwo ? 2 : (int) \in_array($type, self::VARIABLE_ONE, true);
        }
        return new self($schema, $table, $types, $meta);
    }

    /** How many bytes of its own value a column has at this place, its length included. */
    public function size(int $column, string $row, int $at): int
    {
        $type = $this->types[$column];
        $meta = $this->meta[$column];
        if (isset(self::FIXED[$type])) {
            return self::FIXED[$type];
        }
        return match ($type) {
            15, 253 => $meta < 256 ? 1 + \ord($row[$at]) : 2 + (\ord($row[$at]) | \ord($row[$at + 1]) << 8),
            16 => ($meta >> 8) + ($meta & 0xff ? 1 : 0),
            17 => 4 + \intdiv($meta + 1, 2),
            18 => 5 + \intdiv($meta + 1, 2),
            19 => 3 + \intdiv($meta + 1, 2),
            246 => self::decimal($meta >> 8, $meta & 0xff),
            247, 248 => $meta & 0xff,
            254 => \in_array($meta >> 8, [247, 248], true) ? $meta & 0xff : $this->prefix($column) + $this->length($column, $row, $at),
            default => $meta + self::little($row, $at, $meta),
        };
    }

    /** How many bytes the length before a text has. */
    public function prefix(int $column): int
    {
        $meta = $this->meta[$column];
        // The two highest bits of a CHAR's length are in the byte of the type.
        return ($this->types[$column] === 254 ? ((($meta >> 4) & 0x300) ^ 0x300) + ($meta & 0xff) : $meta) < 256 ? 1 : 2;
    }

    private function length(int $column, string $row, int $at): int
    {
        return self::little($row, $at, $this->prefix($column));
    }

    private static function decimal(int $precision, int $scale): int
    {
        $whole = $precision - $scale;
        return \intdiv($whole, 9) * 4 + self::DIGITS[$whole % 9] + \intdiv($scale, 9) * 4 + self::DIGITS[$scale % 9];
    }

    public static function little(string $bytes, int $at, int $count): int
    {
        $number = 0;
        for ($i = 0; $i < $count; ++$i) {
            $number |= \ord($bytes[$at + $i]) << 8 * $i;
        }
        return $number;
    }

    /** A number of the length that its first byte says; goes over it. */
    public static function number(string $bytes, int &$at): int
    {
        $first = \ord($bytes[$at++]);
        $count = match ($first) {
            252 => 2,
            253 => 3,
            254 => 8,
            default => 0,
        };
        $number = $count === 0 ? $first : self::little($bytes, $at, $count);
        $at += $count;
        return $number;
    }
}
