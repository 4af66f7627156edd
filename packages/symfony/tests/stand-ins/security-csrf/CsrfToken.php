<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf;

class CsrfToken implements \Stringable
{
    public function __construct(private readonly string $id, #[\SensitiveParameter] private readonly ?string $value) {}

    public function getId(): string
    {
        return $this->id;
    }

    public function getValue(): string
    {
        return (string) $this->value;
    }

    public function __toString(): string
    {
        return $this->getValue();
    }
}
