<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf\TokenStorage;

interface ClearableTokenStorageInterface extends TokenStorageInterface
{
    public function clear(): void;
}
