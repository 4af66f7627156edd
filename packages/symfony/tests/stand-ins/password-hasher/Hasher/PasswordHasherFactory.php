<?php

declare(strict_types=1);

namespace Symfony\Component\PasswordHasher\Hasher;

use Symfony\Component\PasswordHasher\PasswordHasherInterface;

/** Each user's password is hashed by PHP, whatever was configured. */
final class PasswordHasherFactory implements PasswordHasherFactoryInterface
{
    /** @param array<mixed> $hashers */
    public function __construct(private readonly array $hashers) {}

    public function getPasswordHasher(object|string $user): PasswordHasherInterface
    {
        return $this->hashers === [] ? throw new \RuntimeException('No password hasher has been configured') : new NativePasswordHasher();
    }
}
