<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf\TokenStorage;

use Symfony\Component\HttpFoundation\RequestStack;

final class SessionTokenStorage implements ClearableTokenStorageInterface
{
    public function __construct(private readonly RequestStack $requests) {}

    public function getToken(string $tokenId): string
    {
        return (string) $this->requests->getSession()->get("_csrf/$tokenId");
    }

    public function setToken(string $tokenId, #[\SensitiveParameter] string $token): void
    {
        $this->requests->getSession()->set("_csrf/$tokenId", $token);
    }

    public function removeToken(string $tokenId): ?string
    {
        return $this->requests->getSession()->remove("_csrf/$tokenId");
    }

    public function hasToken(string $tokenId): bool
    {
        return $this->requests->getSession()->has("_csrf/$tokenId");
    }

    public function clear(): void
    {
        foreach (\array_keys($this->requests->getSession()->all()) as $name) {
            \str_starts_with((string) $name, '_csrf/') && $this->requests->getSession()->remove((string) $name);
        }
    }
}
