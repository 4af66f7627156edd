<?php

declare(strict_types=1);

namespace App;

final class Scoped
{
    public string $name = 'nobody';
}
