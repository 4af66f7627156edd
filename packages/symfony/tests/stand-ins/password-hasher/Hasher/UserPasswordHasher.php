<?php

declare(strict_types=1);

namespace Symfony\Component\PasswordHasher\Hasher;

final class UserPasswordHasher implements UserPasswordHasherInterface
{
    public function __construct(private readonly PasswordHasherFactoryInterface $factory) {}

    public function hashPassword(object $user, #[\SensitiveParameter] string $plainPassword): string
    {
        return $this->factory->getPasswordHasher($user)->hash($plainPassword);
    }
}
