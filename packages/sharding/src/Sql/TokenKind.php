<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

enum TokenKind
{
    /** A keyword or a name without quotes. */
    case Word;
    /** A name in backticks. */
    case Name;
    case String;
    case Number;
    /** `?` or `:name`. */
    case Parameter;
    /** `@name` and `@@name`. */
    case Variable;
    case Operator;
    case End;
}
