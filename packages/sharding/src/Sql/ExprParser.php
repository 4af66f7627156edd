<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** Reads expressions, by MySQL's precedences. What it does not know is refused. */
final class ExprParser
{
    /** How strongly operators bind; an operator that is not here ends an expression. */
    private const BINARY = [
        'OR' => 1, '||' => 1, 'XOR' => 2, 'AND' => 3, '&&' => 3,
        '=' => 5, '<=>' => 5, '<' => 5, '>' => 5, '<=' => 5, '>=' => 5, '<>' => 5, '!=' => 5, 'REGEXP' => 5, 'RLIKE' => 5,
        '|' => 6, '&' => 7, '<<' => 8, '>>' => 8, '+' => 9, '-' => 9, '*' => 10, '/' => 10, '%' => 10, 'DIV' => 10, 'MOD' => 10, '^' => 11,
        '->' => 13, '->>' => 13,
    ];
    private const COMPARISON = 5;
    private const NOT = 4;
    private const UNITS = 'MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR|[A-Z]+_[A-Z]+';

    /** @param \Closure(Block): Block $select reads the SELECT that is next, within the given block */
    public function __construct(private readonly Cursor $cursor, private readonly \Closure $select) {}

    public function parse(Block $in, int $binding = 0): Expr
    {
        $left = $this->prefix($in);
        while (true) {
            $token = $this->cursor->peek();
            if ($token->kind !== TokenKind::Operator && $token->kind !== TokenKind::Word) {
                return $left;
            }
            $strength = self::BINARY[$token->word] ?? null;
            if ($strength !== null) {
                if ($strength <= $binding) {
                    return $left;
                }
                $this->cursor->next();
                $name = match ($token->word) {
                    '&&' => 'AND', '||' => 'OR', '!=' => '<>', default => $token->word,
                };
                $right = $strength === self::COMPARISON && ($this->cursor->is('ALL') || $this->cursor->is('ANY') || $this->cursor->is('SOME'))
                    ? throw $this->cursor->unexpected('a value (ALL, ANY and SOME are not supported)') : $this->parse($in, $strength);
                $left = new Expr(ExprKind::Binary, $left->start, $right->end, $name, args: [$left, $right]);
                continue;
            }
            $postfix = self::COMPARISON > $binding ? $this->postfix($left, $in) : null;
            if ($postfix === null && $this->cursor->is('COLLATE')) {
                $this->cursor->next();
                $this->cursor->name();
                $postfix = new Expr(ExprKind::Other, $left->start, $this->cursor->end(), 'COLLATE', args: [$left]);
            }
            if ($postfix === null) {
                return $left;
            }
            $left = $postfix;
        }
    }

    /** IS, IN, BETWEEN, LIKE, with and without NOT. */
    private function postfix(Expr $left, Block $in): ?Expr
    {
        $cursor = $this->cursor;
        if ($cursor->accept('IS')) {
            $cursor->accept('NOT');
            if (!$cursor->accept('NULL') && !$cursor->accept('TRUE') && !$cursor->accept('FALSE') && !$cursor->accept('UNKNOWN')) {
                throw $cursor->unexpected('NULL, TRUE, FALSE or UNKNOWN');
            }
            return new Expr(ExprKind::Other, $left->start, $cursor->end(), 'IS', args: [$left]);
        }
        $isNot = $cursor->is('NOT') && ($cursor->is('NOT', 'IN') || $cursor->is('NOT', 'BETWEEN') || $cursor->is('NOT', 'LIKE') || $cursor->is('NOT', 'REGEXP') || $cursor->is('NOT', 'RLIKE'));
        if ($isNot) {
            $cursor->next();
        }
        if ($cursor->accept('IN')) {
            $cursor->expect('(');
            if ($cursor->is('SELECT')) {
                $block = ($this->select)($in);
                $cursor->expect(')');
                return new Expr(ExprKind::Other, $left->start, $cursor->end(), 'IN', args: [$left], block: $block);
            }
            $args = [$left, ...$this->list($in)];
            $cursor->expect(')');
            return new Expr($isNot ? ExprKind::Other : ExprKind::In, $left->start, $cursor->end(), 'IN', args: $args);
        }
        if ($cursor->accept('BETWEEN')) {
            $low = $this->parse($in, self::COMPARISON);
            $cursor->expect('AND');
            $high = $this->parse($in, self::COMPARISON);
            return new Expr(ExprKind::Other, $left->start, $high->end, $isNot ? 'NOT BETWEEN' : 'BETWEEN', args: [$left, $low, $high]);
        }
        foreach (['LIKE', 'REGEXP', 'RLIKE'] as $word) {
            if ($cursor->accept($word)) {
                $args = [$left, $this->parse($in, self::COMPARISON)];
                if ($word === 'LIKE' && $cursor->accept('ESCAPE')) {
                    $args[] = $this->parse($in, self::COMPARISON);
                }
                return new Expr(ExprKind::Other, $left->start, $cursor->end(), $word, args: $args);
            }
        }
        return $isNot ? throw $cursor->unexpected('IN, BETWEEN or LIKE') : null;
    }

    private function prefix(Block $in): Expr
    {
        $cursor = $this->cursor;
        $token = $cursor->peek();
        $start = $token->start;
        if ($token->kind === TokenKind::Parameter) {
            return new Expr(ExprKind::Parameter, $start, $token->end(), value: $cursor->parameter());
        }
        if ($token->kind === TokenKind::Number) {
            $cursor->next();
            $isPlain = \ctype_digit($token->text);
            return new Expr($isPlain || \is_numeric($token->text) ? ExprKind::Literal : ExprKind::Other, $start, $token->end(), value: $token->text, isNumber: true);
        }
        if ($token->kind === TokenKind::String) {
            $cursor->next();
            if ($cursor->peek()->kind === TokenKind::String) {
                throw $cursor->unexpected('something else than a second string');
            }
            return new Expr(ExprKind::Literal, $start, $token->end(), value: $token->word);
        }
        if ($token->kind === TokenKind::Variable) {
            $cursor->next();
            return new Expr(ExprKind::Other, $start, $token->end(), 'VARIABLE');
        }
        if ($token->kind === TokenKind::Operator) {
            return $this->prefixOperator($token, $in);
        }
        if ($token->kind === TokenKind::Word) {
            $word = $this->prefixWord($token, $in);
            if ($word !== null) {
                return $word;
            }
        }
        if ($token->kind === TokenKind::Word && $token->isReserved && !$this->isCall()) {
            throw $cursor->unexpected('an expression');
        }
        return $this->columnOrCall($in);
    }

    private function prefixOperator(Token $token, Block $in): Expr
    {
        $cursor = $this->cursor;
        $cursor->next();
        if ($token->word === '(') {
            if ($cursor->is('SELECT')) {
                $block = ($this->select)($in);
                $cursor->expect(')');
                return new Expr(ExprKind::Subquery, $token->start, $cursor->end(), block: $block);
            }
            $args = $this->list($in);
            $cursor->expect(')');
            // A parenthesis around one expression is that expression, with its own places.
            return \count($args) > 1 ? new Expr(ExprKind::Row, $token->start, $cursor->end(), args: $args) : self::widened($args[0], $token->start, $cursor->end());
        }
        if (\in_array($token->word, ['-', '+', '~', '!'], true)) {
            $operand = $this->parse($in, 12);
            if ($token->word === '-' && $operand->kind === ExprKind::Literal && $operand->isNumber && \ctype_digit((string) $operand->value)) {
                return new Expr(ExprKind::Literal, $token->start, $operand->end, value: "-$operand->value", isNumber: true);
            }
            return new Expr(ExprKind::Unary, $token->start, $operand->end, $token->word, args: [$operand]);
        }
        if ($token->word === '*') {
            return new Expr(ExprKind::Star, $token->start, $token->end());
        }
        throw Unsupported::because("\"$token->text\" where an expression was expected (byte $token->start)", 'Send the statement to a shard by Keyspace::table() if it is right.');
    }

    private function prefixWord(Token $token, Block $in): ?Expr
    {
        $cursor = $this->cursor;
        $start = $token->start;
        switch ($token->word) {
            case 'NULL':
                $cursor->next();
                return new Expr(ExprKind::Literal, $start, $token->end());
            case 'TRUE':
            case 'FALSE':
                $cursor->next();
                return new Expr(ExprKind::Literal, $start, $token->end(), value: $token->word === 'TRUE' ? '1' : '0', isNumber: true);
            case 'NOT':
                $cursor->next();
                $operand = $this->parse($in, self::NOT);
                return new Expr(ExprKind::Unary, $start, $operand->end, 'NOT', args: [$operand]);
            case 'BINARY':
                $cursor->next();
                $operand = $this->parse($in, 12);
                return new Expr(ExprKind::Unary, $start, $operand->end, 'BINARY', args: [$operand]);
            case 'EXISTS':
                $cursor->next();
                $cursor->expect('(');
                $block = ($this->select)($in);
                $cursor->expect(')');
                return new Expr(ExprKind::Other, $start, $cursor->end(), 'EXISTS', block: $block);
            case 'CASE':
                return $this->case($start, $in);
            case 'INTERVAL':
                if ($cursor->peek(1)->word === '(' && $cursor->peek(1)->kind === TokenKind::Operator) {
                    break;
                }
                $cursor->next();
                $value = $this->parse($in, 8);
                $this->unit();
                return new Expr(ExprKind::Other, $start, $cursor->end(), 'INTERVAL', args: [$value]);
        }
        $follows = $cursor->peek(1);
        if ($follows->kind === TokenKind::String && $follows->start === $token->end() && \in_array($token->word, ['X', 'B', 'N'], true)
            || $follows->kind === TokenKind::String && \in_array($token->word, ['DATE', 'TIME', 'TIMESTAMP'], true)
            || $follows->kind === TokenKind::String && $token->word[0] === '_') {
            $cursor->next();
            $cursor->next();
            return new Expr(ExprKind::Other, $start, $cursor->end(), 'TYPED LITERAL');
        }
        return null;
    }

    private function case(int $start, Block $in): Expr
    {
        $cursor = $this->cursor;
        $cursor->next();
        $args = $cursor->is('WHEN') ? [] : [$this->parse($in)];
        while ($cursor->accept('WHEN')) {
            $args[] = $this->parse($in);
            $cursor->expect('THEN');
            $args[] = $this->parse($in);
        }
        if ($cursor->accept('ELSE')) {
            $args[] = $this->parse($in);
        }
        $cursor->expect('END');
        return new Expr(ExprKind::Other, $start, $cursor->end(), 'CASE', args: $args);
    }

    private function isCall(): bool
    {
        $follows = $this->cursor->peek(1);
        return $follows->kind === TokenKind::Operator && $follows->word === '(';
    }

    private function columnOrCall(Block $in): Expr
    {
        $cursor = $this->cursor;
        $token = $cursor->peek();
        $start = $token->start;
        if ($token->kind === TokenKind::Word && $this->isCall()) {
            $cursor->next();
            return $this->call(\strtolower($token->text), $start, $in);
        }
        if ($token->kind === TokenKind::Word && \in_array($token->word, ['CURRENT_TIMESTAMP', 'CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_USER', 'UTC_TIMESTAMP', 'UTC_DATE', 'LOCALTIME'], true)) {
            $cursor->next();
            return new Expr(ExprKind::Other, $start, $token->end(), $token->word);
        }
        $parts = [$cursor->name()];
        while ($cursor->is('.')) {
            $cursor->next();
            if ($cursor->is('*')) {
                $cursor->next();
                return new Expr(ExprKind::Star, $start, $cursor->end(), table: $parts[\count($parts) - 1]);
            }
            $follows = $cursor->next();
            if ($follows->kind !== TokenKind::Name && $follows->kind !== TokenKind::Word) {
                throw Unsupported::because("\"$follows->text\" where the name of a column was expected", 'Mend the statement.');
            }
            $parts[] = \strtolower($follows->kind === TokenKind::Name ? $follows->word : $follows->text);
        }
        if (\count($parts) > 3 || ($this->cursor->is('(') && $token->kind !== TokenKind::Name)) {
            throw $cursor->unexpected('an operator');
        }
        return new Expr(ExprKind::Column, $start, $cursor->end(), $parts[\count($parts) - 1], $parts[\count($parts) - 2] ?? '');
    }

    private function call(string $name, int $start, Block $in): Expr
    {
        $cursor = $this->cursor;
        $cursor->expect('(');
        $isDistinct = $cursor->accept('DISTINCT');
        $args = [];
        while (!$cursor->is(')')) {
            if ($name === 'cast' || $name === 'convert') {
                $args[] = $this->parse($in);
                if ($cursor->accept('AS') || $cursor->accept('USING') || $cursor->accept(',')) {
                    $this->skipTo(')');
                }
                continue;
            }
            if (($name === 'extract' || $name === 'timestampdiff' || $name === 'timestampadd') && $args === [] && $cursor->peek()->kind === TokenKind::Word && \preg_match('/\A(' . self::UNITS . ')\z/', $cursor->peek()->word)) {
                $cursor->next();
                if (!$cursor->accept('FROM')) {
                    $cursor->expect(',');
                }
            }
            $args[] = $cursor->is('SELECT') ? throw $cursor->unexpected('a value') : $this->parse($in);
            if ($cursor->accept('FROM') || $cursor->accept('USING') || $cursor->accept(',') || $cursor->accept('IN')) {
                continue;
            }
            if ($name === 'group_concat' && ($cursor->is('ORDER') || $cursor->is('SEPARATOR') || $cursor->is('LIMIT'))) {
                $this->skipTo(')');
                $args[] = new Expr(ExprKind::Other, $start, $cursor->end(), 'GROUP_CONCAT');
                continue;
            }
            if (!$cursor->is(')')) {
                throw $cursor->unexpected('"," or ")"');
            }
        }
        $cursor->expect(')');
        $hasWindow = $cursor->is('OVER') || $cursor->is('WITHIN');
        while ($cursor->accept('OVER') || $cursor->accept('WITHIN', 'GROUP')) {
            if ($cursor->accept('(')) {
                $this->skipTo(')');
                $cursor->expect(')');
            } else {
                $cursor->name();
            }
        }
        return new Expr(ExprKind::Call, $start, $cursor->end(), $name, args: $args, isDistinct: $isDistinct, hasWindow: $hasWindow);
    }

    /** @return non-empty-list<Expr> */
    private function list(Block $in): array
    {
        $list = [$this->parse($in)];
        while ($this->cursor->accept(',')) {
            $list[] = $this->parse($in);
        }
        return $list;
    }

    private function unit(): void
    {
        $token = $this->cursor->next();
        if (!\preg_match('/\A(' . self::UNITS . ')\z/', $token->word)) {
            throw Unsupported::because("the interval's unit \"$token->text\"", 'Mend the statement.');
        }
    }

    /** Goes to a closing parenthesis of this level. A sub-query on the way is refused: nobody has looked at its tables. */
    private function skipTo(string $word): void
    {
        for ($depth = 0; $depth > 0 || !$this->cursor->is($word); ) {
            $token = $this->cursor->peek();
            if ($token->kind === TokenKind::End || $token->word === 'SELECT') {
                throw $this->cursor->unexpected("\"$word\"");
            }
            $depth += $token->kind === TokenKind::Operator ? ($token->word === '(' ? 1 : ($token->word === ')' ? -1 : 0)) : 0;
            $token->kind === TokenKind::Parameter ? $this->cursor->parameter() : $this->cursor->next();
        }
    }

    private static function widened(Expr $expr, int $start, int $end): Expr
    {
        return new Expr($expr->kind, $start, $end, $expr->name, $expr->table, $expr->args, $expr->value, $expr->block, $expr->isDistinct, $expr->hasWindow, $expr->isNumber);
    }
}
