<?php

declare(strict_types=1);

namespace Symfony\Component\Clock;

final class NativeClock implements ClockInterface
{
    public function __construct(private readonly \DateTimeZone|string|null $timezone = null) {}

    public function now(): \DateTimeImmutable
    {
        return new \DateTimeImmutable('now', \is_string($this->timezone) ? new \DateTimeZone($this->timezone) : $this->timezone);
    }

    public function sleep(float|int $seconds): void
    {
        \usleep((int) ($seconds * 1e6));
    }

    public function withTimeZone(\DateTimeZone|string $timezone): static
    {
        return new self($timezone);
    }
}
