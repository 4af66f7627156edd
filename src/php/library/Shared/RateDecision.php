<?php

declare(strict_types=1);

namespace Sluice\Shared;

/** Whether RateLimiter::take() has allowed a request, and what is left. */
final class RateDecision
{
    /**
     * @internal
     *
     * @param bool $allowed whether the tokens were taken
     * @param int $remaining tokens that are left for the key
     * @param float $retryAfter seconds until as many tokens are there as were asked for; 0 when they were taken
     */
    public function __construct(public readonly bool $allowed, public readonly int $remaining, public readonly float $retryAfter) {}
}
