<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf\TokenGenerator;

interface TokenGeneratorInterface
{
    public function generateToken(): string;
}
