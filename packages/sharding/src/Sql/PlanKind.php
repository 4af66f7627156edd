<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

enum PlanKind
{
    /** Any shard can answer: there are only reference tables, or none. */
    case AnyShard;
    /** A key says where. */
    case ByKey;
    /** All shards, merged. */
    case Scatter;
    /** Rows, each by its key. */
    case InsertRows;
    /** A reference table is written: on all shards alike. */
    case WriteEverywhere;
    /** Tables are changed: on one shard after the other, with a ledger. */
    case Ddl;
    /** BEGIN, USE and so on: what the connection itself does. */
    case Control;
}
