<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** Reads a statement to its end; what it does not know is refused. */
final class StatementParser
{
    private readonly Cursor $cursor;
    private readonly ExprParser $expressions;

    private function __construct(private readonly string $sql)
    {
        $this->cursor = new Cursor(new Tokens($sql));
        $this->expressions = new ExprParser($this->cursor, function (Block $in): Block {
            $block = $this->select();
            $in->blocks[] = $block;
            return $block;
        });
    }

    /** @throws Unsupported */
    public static function parse(string $sql): ParsedStatement
    {
        $parser = new self($sql);
        return $parser->statement();
    }

    private function statement(): ParsedStatement
    {
        $cursor = $this->cursor;
        $block = new Block();
        $word = $cursor->peek()->word;
        $simple = match ($word) {
            'BEGIN', 'START' => StatementKind::Begin,
            'COMMIT' => StatementKind::Commit,
            'ROLLBACK' => StatementKind::Rollback,
            'SAVEPOINT', 'RELEASE' => StatementKind::Savepoint,
            'SET' => StatementKind::Set,
            'USE' => StatementKind::Use,
            'CREATE', 'ALTER', 'DROP', 'TRUNCATE', 'RENAME', 'OPTIMIZE', 'ANALYZE' => StatementKind::Ddl,
            'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN' => StatementKind::Show,
            default => null,
        };
        if ($simple !== null) {
            $cursor->next();
            $argument = '';
            while ($cursor->peek()->kind !== TokenKind::End && !$cursor->is(';')) {
                $token = $cursor->next();
                $argument .= $token->kind === TokenKind::Name ? $token->word : $token->text;
                $argument .= $simple === StatementKind::Use ? '' : ' ';
            }
            $parsed = $this->parsed($simple, $block);
            $parsed->argument = \trim($argument);
            return $parsed;
        }
        if ($word === 'SELECT' || $word === '(') {
            $block = $this->select();
            return $this->parsed(StatementKind::Select, $block);
        }
        return match ($word) {
            'INSERT', 'REPLACE' => $this->insert(),
            'UPDATE' => $this->update(),
            'DELETE' => $this->delete(),
            default => throw Unsupported::because("a statement that begins with \"{$cursor->peek()->text}\"", 'Send it to a shard by Keyspace::table(), or to all by sluice shard migrate.'),
        };
    }

    private function parsed(StatementKind $kind, Block $block): ParsedStatement
    {
        $this->cursor->accept(';');
        if ($this->cursor->peek()->kind !== TokenKind::End) {
            throw $this->cursor->unexpected('the end of the statement');
        }
        return new ParsedStatement($kind, $this->sql, $block, $this->cursor->tokens->directives, $this->cursor->parameters, $this->cursor->parameterSpans);
    }

    private function select(): Block
    {
        $cursor = $this->cursor;
        if ($cursor->is('(')) {
            throw $cursor->unexpected('SELECT (a SELECT in parentheses is not supported here)');
        }
        $block = new Block();
        $block->start = $cursor->peek()->start;
        $cursor->expect('SELECT');
        while ($cursor->is('ALL') || $cursor->is('DISTINCT') || $cursor->is('DISTINCTROW') || $cursor->is('STRAIGHT_JOIN') || $cursor->is('SQL_NO_CACHE') || $cursor->is('SQL_CACHE')) {
            $block->isDistinct = $block->isDistinct || \str_starts_with($cursor->peek()->word, 'DISTINCT');
            $cursor->next();
        }
        $block->distinctEnd = $cursor->end();
        do {
            $block->items[] = $this->item($block);
        } while ($cursor->accept(','));
        $block->itemsEnd = $cursor->end();
        if ($cursor->accept('FROM')) {
            $this->from($block);
        }
        if ($cursor->accept('WHERE')) {
            $block->where = $this->expressions->parse($block);
        }
        $block->bodyEnd = $cursor->end();
        if ($cursor->accept('GROUP', 'BY')) {
            do {
                $block->group[] = $this->expressions->parse($block);
                $cursor->accept('ASC');
            } while ($cursor->accept(','));
            if ($cursor->accept('WITH')) {
                $cursor->expect('ROLLUP');
                $block->hasRollup = true;
            }
        }
        if ($cursor->accept('HAVING')) {
            $block->having = $this->expressions->parse($block);
        }
        $block->havingEnd = $cursor->end();
        $this->orderAndLimit($block);
        while ($cursor->is('FOR') || $cursor->is('LOCK')) {
            $block->locks = true;
            if (!$cursor->accept('FOR', 'UPDATE') && !$cursor->accept('FOR', 'SHARE') && !$cursor->accept('LOCK', 'IN', 'SHARE', 'MODE')) {
                throw $cursor->unexpected('FOR UPDATE or LOCK IN SHARE MODE');
            }
            if (!$cursor->accept('SKIP', 'LOCKED')) {
                $cursor->accept('NOWAIT');
            }
        }
        $block->end = $cursor->end();
        if ($cursor->accept('UNION') || $cursor->accept('EXCEPT') || $cursor->accept('INTERSECT')) {
            if (!$cursor->accept('ALL')) {
                $cursor->accept('DISTINCT');
            }
            $other = $this->select();
            $block->unions = [$other, ...$other->unions];
        }
        return $block;
    }

    private function item(Block $block): Item
    {
        $cursor = $this->cursor;
        $expr = $this->expressions->parse($block);
        $alias = null;
        if ($cursor->accept('AS')) {
            $alias = $cursor->peek()->kind === TokenKind::String ? \strtolower($cursor->next()->word) : $cursor->name();
        } elseif ($cursor->isName()) {
            $alias = $cursor->name();
        }
        return new Item($expr, $alias);
    }

    private function orderAndLimit(Block $block): void
    {
        $cursor = $this->cursor;
        $block->orderStart = $block->orderEnd = $cursor->end();
        if ($cursor->is('ORDER')) {
            $block->orderStart = $cursor->peek()->start;
            $cursor->expect('ORDER', 'BY');
            do {
                $expr = $this->expressions->parse($block);
                $isDescending = $cursor->accept('DESC');
                if (!$isDescending) {
                    $cursor->accept('ASC');
                }
                $block->order[] = new Order($expr, $isDescending);
            } while ($cursor->accept(','));
            $block->orderEnd = $cursor->end();
        }
        $block->limitStart = $block->limitEnd = $cursor->end();
        if ($cursor->is('LIMIT')) {
            $block->limitStart = $cursor->peek()->start;
            $cursor->next();
            $block->limit = $this->count();
            if ($cursor->accept(',')) {
                $block->offset = $block->limit;
                $block->limit = $this->count();
            } elseif ($cursor->accept('OFFSET')) {
                $block->offset = $this->count();
            }
            $block->limitEnd = $cursor->end();
        }
    }

    private function count(): Expr
    {
        $token = $this->cursor->peek();
        if ($token->kind === TokenKind::Parameter) {
            return new Expr(ExprKind::Parameter, $token->start, $token->end(), value: $this->cursor->parameter());
        }
        if ($token->kind === TokenKind::Number && \ctype_digit($token->text)) {
            $this->cursor->next();
            return new Expr(ExprKind::Literal, $token->start, $token->end(), value: $token->text, isNumber: true);
        }
        throw $this->cursor->unexpected('a number or a parameter');
    }

    private function from(Block $block): void
    {
        $cursor = $this->cursor;
        $block->tables[] = $this->table($block, false);
        while (true) {
            if ($cursor->accept(',')) {
                $block->tables[] = $this->table($block, false);
                continue;
            }
            $isLeft = $cursor->is('LEFT');
            if ($isLeft) {
                $cursor->next();
                $cursor->accept('OUTER');
                $cursor->expect('JOIN');
            } elseif (!$cursor->accept('JOIN') && !$cursor->accept('INNER', 'JOIN') && !$cursor->accept('CROSS', 'JOIN') && !$cursor->accept('STRAIGHT_JOIN')) {
                if ($cursor->is('RIGHT') || $cursor->is('NATURAL') || $cursor->is('FULL')) {
                    throw Unsupported::because("a {$cursor->peek()->word} JOIN", 'Write it as a LEFT JOIN with ON.');
                }
                return;
            }
            $table = $this->table($block, $isLeft);
            if ($cursor->accept('ON')) {
                $table->on = $this->expressions->parse($block);
            } elseif ($cursor->accept('USING')) {
                $cursor->expect('(');
                do {
                    $table->using[] = $cursor->name();
                } while ($cursor->accept(','));
                $cursor->expect(')');
            }
            $block->tables[] = $table;
        }
    }

    private function table(Block $block, bool $isOuter): TableRef
    {
        $cursor = $this->cursor;
        $start = $cursor->peek()->start;
        if ($cursor->accept('(')) {
            if (!$cursor->is('SELECT')) {
                throw $cursor->unexpected('SELECT (joins in parentheses are not supported)');
            }
            $derived = $this->select();
            $block->blocks[] = $derived;
            $cursor->expect(')');
            $cursor->accept('AS');
            $alias = $cursor->name();
            return new TableRef('', $alias, '', $start, $start, $cursor->end(), true, $isOuter, $derived);
        }
        $nameStart = $start;
        $keyspace = '';
        $name = $cursor->name();
        if ($cursor->accept('.')) {
            $keyspace = $name;
            $nameStart = $cursor->peek()->start;
            $name = $cursor->name();
        }
        $end = $cursor->end();
        $hasAlias = $cursor->accept('AS') || ($cursor->isName() && !$cursor->is('USING') && !$cursor->is('OFFSET') && !$cursor->is('SET') && !$cursor->is('VALUE'));
        $alias = $hasAlias ? $cursor->name() : $name;
        while (($cursor->is('USE') || $cursor->is('FORCE') || $cursor->is('IGNORE')) && ($cursor->peek(1)->word === 'INDEX' || $cursor->peek(1)->word === 'KEY')) {
            $cursor->next();
            $cursor->next();
            $cursor->expect('(');
            while (!$cursor->accept(')')) {
                $cursor->next();
                if ($cursor->peek()->kind === TokenKind::End) {
                    throw $cursor->unexpected('")"');
                }
            }
        }
        return new TableRef($name, $alias, $keyspace, $start, $nameStart, $end, $hasAlias, $isOuter);
    }

    private function insert(): ParsedStatement
    {
        $cursor = $this->cursor;
        $kind = $cursor->next()->word === 'INSERT' ? StatementKind::Insert : StatementKind::Replace;
        while ($cursor->accept('IGNORE') || $cursor->accept('LOW_PRIORITY') || $cursor->accept('HIGH_PRIORITY')) {
        }
        $cursor->accept('INTO');
        $block = new Block();
        $block->tables[] = $this->table($block, false);
        $columns = [];
        $rows = [];
        $spans = [];
        $columnsEnd = $cursor->end();
        if ($cursor->is('(') && !$cursor->is('(', 'SELECT')) {
            $cursor->next();
            while (!$cursor->accept(')')) {
                $columns[] = $cursor->name();
                $columnsEnd = $cursor->end();
                if (!$cursor->is(')')) {
                    $cursor->expect(',');
                }
            }
        }
        if ($cursor->accept('VALUES') || $cursor->accept('VALUE')) {
            do {
                $start = $cursor->peek()->start;
                $cursor->expect('(');
                $row = [];
                while (!$cursor->is(')')) {
                    $row[] = $cursor->is('DEFAULT') && $cursor->peek(1)->word !== '(' ? $this->defaultValue() : $this->expressions->parse($block);
                    if (!$cursor->is(')')) {
                        $cursor->expect(',');
                    }
                }
                $cursor->expect(')');
                $rows[] = $row;
                $spans[] = [$start, $cursor->end()];
            } while ($cursor->accept(','));
        } elseif ($cursor->is('SET')) {
            throw Unsupported::because("INSERT INTO {$block->tables[0]->name} SET", 'Write it with VALUES.');
        } else {
            throw Unsupported::because("INSERT INTO {$block->tables[0]->name} with a SELECT", 'Read the rows first, then insert them with VALUES.');
        }
        $assignments = [];
        if ($cursor->accept('ON', 'DUPLICATE', 'KEY', 'UPDATE')) {
            $assignments = $this->assignments($block);
        }
        $hasReturning = $cursor->is('RETURNING');
        if ($hasReturning) {
            throw Unsupported::because('RETURNING', 'Read the row after it was written.');
        }
        $parsed = $this->parsed($kind, $block);
        $parsed->columns = $columns;
        $parsed->rows = $rows;
        $parsed->rowSpans = $spans;
        $parsed->assignments = $assignments;
        $parsed->columnsEnd = $columnsEnd;
        return $parsed;
    }

    private function defaultValue(): Expr
    {
        $token = $this->cursor->next();
        return new Expr(ExprKind::Other, $token->start, $token->end(), 'DEFAULT');
    }

    /** @return list<array{string, Expr}> */
    private function assignments(Block $block): array
    {
        $assignments = [];
        do {
            $column = $this->expressions->parse($block, 5);
            if ($column->kind !== ExprKind::Column) {
                throw $this->cursor->unexpected('a column');
            }
            $this->cursor->expect('=');
            $value = $this->cursor->is('DEFAULT') && $this->cursor->peek(1)->word !== '(' ? $this->defaultValue() : $this->expressions->parse($block);
            $assignments[] = [$column->name, $value];
        } while ($this->cursor->accept(','));
        return $assignments;
    }

    private function update(): ParsedStatement
    {
        $cursor = $this->cursor;
        $cursor->next();
        while ($cursor->accept('IGNORE') || $cursor->accept('LOW_PRIORITY')) {
        }
        $block = new Block();
        $this->from($block);
        if (\count($block->tables) > 1) {
            throw Unsupported::because('UPDATE of several tables', 'Update one table after the other.');
        }
        $cursor->expect('SET');
        $assignments = $this->assignments($block);
        $this->whereToEnd($block);
        $parsed = $this->parsed(StatementKind::Update, $block);
        $parsed->assignments = $assignments;
        return $parsed;
    }

    private function delete(): ParsedStatement
    {
        $cursor = $this->cursor;
        $cursor->next();
        while ($cursor->accept('IGNORE') || $cursor->accept('QUICK') || $cursor->accept('LOW_PRIORITY')) {
        }
        if (!$cursor->accept('FROM')) {
            throw Unsupported::because('DELETE of several tables', 'Delete from one table after the other.');
        }
        $block = new Block();
        $this->from($block);
        if (\count($block->tables) > 1) {
            throw Unsupported::because('DELETE of several tables', 'Delete from one table after the other.');
        }
        $this->whereToEnd($block);
        return $this->parsed(StatementKind::Delete, $block);
    }

    private function whereToEnd(Block $block): void
    {
        if ($this->cursor->accept('WHERE')) {
            $block->where = $this->expressions->parse($block);
        }
        $block->bodyEnd = $block->havingEnd = $this->cursor->end();
        $this->orderAndLimit($block);
        $block->end = $this->cursor->end();
    }
}
