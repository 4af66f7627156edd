<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use PhpMyAdmin\SqlParser\{Lexer, TokenType};
use PhpMyAdmin\SqlParser\Token as LexerToken;

/** A statement's tokens, by the lexer of phpmyadmin/sql-parser, with byte positions and without comments. */
final class Tokens
{
    /** @var list<Token> */
    public readonly array $list;
    /** What is in Vitess's comments: `ALLOW_SCATTER=1`. */
    public readonly Directives $directives;

    /** @throws Unsupported when the statement cannot be read, or has comments that change it by the server's version */
    public function __construct(public readonly string $sql)
    {
        if (!\class_exists(Lexer::class)) {
            throw Unsupported::because('SQL without its parser', 'Install phpmyadmin/sql-parser, or use Keyspace::table(), which parses nothing.');
        }
        $lexer = new Lexer($sql);
        if ($lexer->errors !== []) {
            throw Unsupported::because("a statement that cannot be read ({$lexer->errors[0]->getMessage()})", 'Mend its syntax.');
        }
        $list = [];
        $position = 0;
        $directives = new Directives();
        foreach ($lexer->list->tokens as $token) {
            $text = $token->token;
            if ($text !== '' && \substr($sql, $position, \strlen($text)) !== $text) {
                throw Unsupported::because('a statement whose tokens do not add up to it', 'Send it to a shard by Keyspace::table().');
            }
            if ($token->type === TokenType::Comment) {
                if (\str_starts_with($text, '/*!') || \str_starts_with($text, '/*M!')) {
                    throw Unsupported::because('a comment that some servers execute (/*!)', 'Write what it has without the comment.');
                }
                $directives = \str_starts_with($text, '/*vt+') ? Directives::parse($text) : $directives;
            } elseif ($token->type !== TokenType::Whitespace && $text !== '') {
                \array_push($list, ...self::split($token, $position));
            }
            $position += \strlen($text);
        }
        if ($position !== \strlen($sql)) {
            throw Unsupported::because('a statement whose tokens do not add up to it', 'Send it to a shard by Keyspace::table().');
        }
        $list[] = new Token(TokenKind::End, '', '', $position);
        $this->list = $list;
        $this->directives = $directives;
    }

    /** @return list<Token> */
    private static function split(LexerToken $token, int $position): array
    {
        $text = $token->token;
        if ($token->type === TokenType::Number && \strlen($text) > 1 && ($text[0] === '-' || $text[0] === '+')) {
            // The lexer takes a sign into the number, also where it subtracts.
            $rest = \ltrim(\substr($text, 1));
            return [
                new Token(TokenKind::Operator, $text[0], $text[0], $position),
                new Token(TokenKind::Number, $rest, $rest, $position + \strlen($text) - \strlen($rest)),
            ];
        }
        if ($token->type === TokenType::Keyword && ($token->flags & LexerToken::FLAG_KEYWORD_COMPOSED) !== 0) {
            \preg_match_all('/\S+/', $text, $words, \PREG_OFFSET_CAPTURE);
            return \array_map(static fn(array $word) => new Token(TokenKind::Word, $word[0], \strtoupper($word[0]), $position + $word[1], true), $words[0]);
        }
        $kind = match ($token->type) {
            TokenType::Keyword, TokenType::None, TokenType::Label, TokenType::Bool => TokenKind::Word,
            TokenType::String => TokenKind::String,
            TokenType::Number => TokenKind::Number,
            TokenType::Symbol => match ($text[0]) {
                '`' => TokenKind::Name,
                '?', ':' => TokenKind::Parameter,
                default => TokenKind::Variable,
            },
            default => TokenKind::Operator,
        };
        $word = match ($kind) {
            TokenKind::Word => \strtoupper($text),
            TokenKind::Name => \str_replace('``', '`', \substr($text, 1, -1)),
            TokenKind::String => self::unquote($text),
            default => $text,
        };
        return [new Token($kind, $text, $word, $position, $kind === TokenKind::Word && ($token->flags & LexerToken::FLAG_KEYWORD_RESERVED) !== 0)];
    }

    /** The contents of a string by MySQL's rules, backslashes included. */
    private static function unquote(string $text): string
    {
        $quote = $text[0];
        $inner = \str_replace($quote . $quote, $quote, \substr($text, 1, -1));
        return (string) \preg_replace_callback('/\\\\(.)/s', static fn(array $match) => match ($match[1]) {
            '0' => "\0",
            'b' => "\x08",
            'n' => "\n",
            'r' => "\r",
            't' => "\t",
            'Z' => "\x1a",
            '%', '_' => $match[0],
            default => $match[1],
        }, $inner);
    }
}
