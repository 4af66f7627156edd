<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf\TokenGenerator;

final class UriSafeTokenGenerator implements TokenGeneratorInterface
{
    public function generateToken(): string
    {
        return \bin2hex(\random_bytes(16));
    }
}
