<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf;

use Symfony\Component\Security\Csrf\TokenGenerator\TokenGeneratorInterface;
use Symfony\Component\Security\Csrf\TokenStorage\TokenStorageInterface;

final class CsrfTokenManager implements CsrfTokenManagerInterface
{
    public function __construct(private readonly TokenGeneratorInterface $generator, private readonly TokenStorageInterface $storage) {}

    public function getToken(string $tokenId): CsrfToken
    {
        return $this->storage->hasToken($tokenId) ? new CsrfToken($tokenId, $this->storage->getToken($tokenId)) : $this->refreshToken($tokenId);
    }

    public function refreshToken(string $tokenId): CsrfToken
    {
        $value = $this->generator->generateToken();
        $this->storage->setToken($tokenId, $value);
        return new CsrfToken($tokenId, $value);
    }

    public function removeToken(string $tokenId): ?string
    {
        return $this->storage->removeToken($tokenId);
    }

    public function isTokenValid(CsrfToken $token): bool
    {
        return $this->storage->hasToken($token->getId()) && \hash_equals($this->storage->getToken($token->getId()), $token->getValue());
    }
}
