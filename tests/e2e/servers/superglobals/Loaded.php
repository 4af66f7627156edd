<?php

declare(strict_types=1);

class Loaded
{
    public function name(): string { return $_COOKIE['loaded'] ?? 'nobody'; }

    protected function number(): int { return (int) ($_GET['number'] ?? 1); }
}
