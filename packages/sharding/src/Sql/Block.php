<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** One SELECT, or the part of another statement that has tables and conditions. */
final class Block
{
    public bool $isDistinct = false;
    /** @var list<Item> */
    public array $items = [];
    /** @var list<TableRef> */
    public array $tables = [];
    public ?Expr $where = null;
    /** @var list<Expr> */
    public array $group = [];
    public bool $hasRollup = false;
    public ?Expr $having = null;
    /** @var list<Order> */
    public array $order = [];
    public ?Expr $limit = null;
    public ?Expr $offset = null;
    /** @var list<Block> in its expressions and in its FROM */
    public array $blocks = [];
    /** @var list<Block> what UNION and its kin connect with it */
    public array $unions = [];
    /** Whether it locks rows. */
    public bool $locks = false;
    /** Bytes where something may be put in, or replaced. */
    public int $start = 0;
    public int $distinctEnd = 0;
    public int $itemsEnd = 0;
    public int $bodyEnd = 0;
    public int $havingEnd = 0;
    public int $orderStart = 0;
    public int $orderEnd = 0;
    public int $limitStart = 0;
    public int $limitEnd = 0;
    public int $end = 0;
}
