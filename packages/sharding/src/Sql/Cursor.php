<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** Goes through the tokens of a statement. */
final class Cursor
{
    private int $at = 0;
    /** @var list<int|string> */
    public array $parameters = [];
    /** @var list<array{int, int}> */
    public array $parameterSpans = [];
    private int $positional = 0;

    public function __construct(public readonly Tokens $tokens) {}

    public function peek(int $ahead = 0): Token
    {
        $list = $this->tokens->list;
        return $list[\min($this->at + $ahead, \count($list) - 1)];
    }

    public function next(): Token
    {
        $token = $this->peek();
        ++$this->at;
        return $token;
    }

    /**
     * Whether the next tokens are these words or operators.
     *
     * @phpstan-impure
     */
    public function is(string ...$words): bool
    {
        foreach ($words as $i => $word) {
            $token = $this->peek((int) $i);
            if (($token->kind !== TokenKind::Word && $token->kind !== TokenKind::Operator) || $token->word !== $word) {
                return false;
            }
        }
        return true;
    }

    /**
     * Goes over these words when they are next.
     *
     * @phpstan-impure
     */
    public function accept(string ...$words): bool
    {
        if (!$this->is(...$words)) {
            return false;
        }
        $this->at += \count($words);
        return true;
    }

    public function expect(string ...$words): void
    {
        if (!$this->accept(...$words)) {
            throw $this->unexpected(\implode(' ', $words));
        }
    }

    /** A name of a table, a column or an alias, in lower case. */
    public function name(): string
    {
        $token = $this->next();
        if ($token->kind === TokenKind::Name || ($token->kind === TokenKind::Word && !$token->isReserved)) {
            return \strtolower($token->kind === TokenKind::Name ? $token->word : $token->text);
        }
        --$this->at;
        throw $this->unexpected('a name');
    }

    public function isName(): bool
    {
        $token = $this->peek();
        return $token->kind === TokenKind::Name || ($token->kind === TokenKind::Word && !$token->isReserved);
    }

    public function parameter(): int|string
    {
        $token = $this->next();
        $key = $token->text === '?' ? $this->positional++ : \substr($token->text, 1);
        $this->parameters[] = $key;
        $this->parameterSpans[] = [$token->start, $token->end()];
        return $key;
    }

    /** The end of the token before the next one. */
    public function end(): int
    {
        return ($this->tokens->list[\max(0, $this->at - 1)] ?? $this->peek())->end();
    }

    public function unexpected(string $wanted): Unsupported
    {
        $token = $this->peek();
        $found = $token->kind === TokenKind::End ? 'its end' : '"' . \substr($token->text, 0, 40) . '"';
        return Unsupported::because("$found in a statement where $wanted was expected (byte $token->start)", 'Send the statement to a shard by Keyspace::table() if it is right.');
    }
}
