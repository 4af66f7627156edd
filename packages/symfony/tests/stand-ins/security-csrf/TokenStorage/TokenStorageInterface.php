<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf\TokenStorage;

interface TokenStorageInterface
{
    public function getToken(string $tokenId): string;

    public function setToken(string $tokenId, #[\SensitiveParameter] string $token): void;

    public function removeToken(string $tokenId): ?string;

    public function hasToken(string $tokenId): bool;
}
