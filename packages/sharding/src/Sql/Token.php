<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** A piece of a statement. */
final readonly class Token
{
    /**
     * @param string $text as written
     * @param string $word in upper case for a word, the name for a name, the contents for a string
     * @param int $start byte in the statement
     * @param bool $isReserved whether a word cannot be a name
     */
    public function __construct(public TokenKind $kind, public string $text, public string $word, public int $start, public bool $isReserved = false) {}

    public function end(): int
    {
        return $this->start + \strlen($this->text);
    }
}
