<?php

declare(strict_types=1);

namespace Symfony\Component\PasswordHasher\Hasher;

interface UserPasswordHasherInterface
{
    public function hashPassword(object $user, #[\SensitiveParameter] string $plainPassword): string;
}
