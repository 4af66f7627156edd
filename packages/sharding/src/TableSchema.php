<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Vindex\UnicodeLoose;

/** What a VSchema says of a table. */
final readonly class TableSchema
{
    /**
     * @param list<ColumnVindex> $vindexes the primary one first
     * @param array<string, string> $types from columns to Vitess's names of types (`INT64`, `VARCHAR`, …), in lower case to upper case
     * @param list<string>|null $columns all columns in their order, in lower case; null when the VSchema does not have them all
     * @param array{column: string, sequence: string}|null $autoIncrement
     */
    public function __construct(
        public string $name,
        public TableKind $kind,
        public array $vindexes = [],
        public array $types = [],
        public ?array $columns = null,
        public ?array $autoIncrement = null,
    ) {}

    /** @throws \LogicException for a table that is not sharded */
    public function primary(): ColumnVindex
    {
        return $this->vindexes[0] ?? throw new \LogicException("The table $this->name has no primary vindex.");
    }

    /**
     * A value as the column has it: a string for a column of integers becomes the integer's text, so that '007' and 7 are one key.
     *
     * @throws KeyException when the value does not fit the column, or could be read as two different keys
     */
    public function key(string $column, mixed $value): mixed
    {
        if ($value === null) {
            return null;
        }
        $type = $this->types[$column] ?? '';
        // Nearly all keys: an int for a column of integers, which cannot be read in another way.
        if (\is_int($value) && ($type === '' || $type[0] === 'I' || ($type[0] === 'U' && $value >= 0))) {
            return (string) $value;
        }
        if (\is_string($value) && $type !== '' && ($type[0] === 'I' || $type[0] === 'U') && \ctype_digit($value) && $value[0] !== '0' && \strlen($value) < 19) {
            return $value;
        }
        try {
            $ignoresSpaces = ($this->vindexes[0] ?? null)?->vindex instanceof UnicodeLoose;
            return self::keyOfType($type, $value, $ignoresSpaces);
        } catch (KeyException $error) {
            throw $error->about($this->name, [$column]);
        }
    }

    private static function keyOfType(string $type, mixed $value, bool $ignoresSpaces): mixed
    {
        if (\str_starts_with($type, 'INT') || \str_starts_with($type, 'UINT')) {
            $number = Integer64::of($value);
            if ($type[0] === 'U' && $number->isNegative()) {
                throw new KeyException("The key $number->text is negative, and the column is unsigned.");
            }
            return $number->text;
        }
        if ($type !== '') {
            if (!\is_string($value)) {
                throw new KeyException('The key ' . ($value instanceof Integer64 ? $value->text : \var_export($value, true)) . " is no string, and the column is a $type, which the database would compare as a number. Give a string.");
            }
            if (\str_ends_with($value, ' ') && !\str_contains($type, 'BINARY') && !\str_contains($type, 'BLOB') && !$ignoresSpaces) {
                throw new KeyException("The key \"$value\" ends with a space, which most collations ignore and this vindex does not. Trim it, or take a unicode_loose vindex.");
            }
            return $value;
        }
        if (\is_string($value)) {
            if (\preg_match('/\A[\s+-]*\d[\d.eE+-]*\s*\z/', $value) && !\preg_match('/\A(0|-?[1-9]\d*)\z/', $value)) {
                throw new KeyException("The key \"$value\" is another one as a number than as a string. Give the column a type in \"columns\" of the VSchema, such as"
                    . ' {"name": "id", "type": "INT64"} or "VARCHAR".');
            }
            return $value;
        }
        return Integer64::of($value)->text;
    }
}
