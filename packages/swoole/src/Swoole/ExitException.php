<?php

declare(strict_types=1);

namespace Swoole;

class ExitException extends Exception
{
    private int $flags = 0;
    private mixed $status = 0;

    public function getFlags(): int
    {
        return $this->flags;
    }

    public function getStatus(): mixed
    {
        return $this->status;
    }
}
