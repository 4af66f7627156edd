<?php

declare(strict_types=1);

final class LoadedChild extends Loaded
{
    public function page(): int { return $this->number(); }
}
