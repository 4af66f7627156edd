<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf;

interface CsrfTokenManagerInterface
{
    public function getToken(string $tokenId): CsrfToken;

    public function refreshToken(string $tokenId): CsrfToken;

    public function removeToken(string $tokenId): ?string;

    public function isTokenValid(CsrfToken $token): bool;
}
