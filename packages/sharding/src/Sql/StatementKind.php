<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

enum StatementKind
{
    case Select;
    case Insert;
    case Replace;
    case Update;
    case Delete;
    case Begin;
    case Commit;
    case Rollback;
    case Savepoint;
    case Use;
    case Set;
    /** CREATE, ALTER, DROP and so on: for `sluice shard migrate`. */
    case Ddl;
    case Show;
}
