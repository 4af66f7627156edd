<?php

declare(strict_types=1);

namespace App;

/** A service with state, as applications have them. */
final class Counter
{
    public static string $name = 'nobody';

    public int $count = 0;
}
