<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

enum ExprKind
{
    case Column;
    case Literal;
    case Parameter;
    case Call;
    /** `*` and `t.*` in a list of columns. */
    case Star;
    case Binary;
    case Unary;
    /** `x IN (…)`, not negated; the first argument is x. */
    case In;
    /** A sub-query as a value. */
    case Subquery;
    /** `(a, b)` */
    case Row;
    /** Anything else that has arguments: CASE, BETWEEN, LIKE, NOT IN, EXISTS, … */
    case Other;
}
