<?php

declare(strict_types=1);

namespace Symfony\Component\PasswordHasher\Hasher;

use Symfony\Component\PasswordHasher\PasswordHasherInterface;

interface PasswordHasherFactoryInterface
{
    public function getPasswordHasher(object|string $user): PasswordHasherInterface;
}
