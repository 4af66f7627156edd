<?php

declare(strict_types=1);

namespace Sluice\Shared;

/** What RateLimiter::take() says. */
final class RateDecision
{
    /**
     * @internal
     *
     * @param bool $allowed whether the tokens were taken
     * @param int $remaining tokens that are left now
     * @param float $retryAfter seconds until there are as many as were asked for; 0 when they were taken
     */
    public function __construct(public readonly bool $allowed, public readonly int $remaining, public readonly float $retryAfter) {}
}
