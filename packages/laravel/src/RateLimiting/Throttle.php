<?php

declare(strict_types=1);

namespace Sluice\Laravel\RateLimiting;

use Illuminate\Http\Request;
use Illuminate\Routing\Middleware\ThrottleRequests;
use Symfony\Component\HttpFoundation\Response;

/** The middleware `throttle`, which looks at a limit and counts in one step where the rate limiter can. */
final class Throttle extends ThrottleRequests
{
    /**
     * @param Request $request
     * @param \Closure(Request): Response $next
     * @param array<object{key: string, maxAttempts: int, decaySeconds: int, afterCallback?: \Closure|null, responseCallback?: \Closure|null}> $limits
     */
    protected function handleRequest($request, \Closure $next, array $limits): Response
    {
        $limiter = $this->limiter;
        if (!$limiter instanceof TableRateLimiter) {
            return parent::handleRequest($request, $next, $limits);
        }
        foreach ($limits as $limit) {
            // What the response decides about is counted after it.
            $mayPass = isset($limit->afterCallback) ? !$limiter->tooManyAttempts($limit->key, $limit->maxAttempts) : $limiter->take($limit->key, $limit->maxAttempts, $limit->decaySeconds);
            if (!$mayPass) {
                throw $this->buildException($request, $limit->key, $limit->maxAttempts, $limit->responseCallback ?? null);
            }
        }
        $response = $next($request);
        foreach ($limits as $limit) {
            if (isset($limit->afterCallback) && ($limit->afterCallback)($response)) {
                $limiter->hit($limit->key, $limit->decaySeconds);
            }
            $response = $this->addHeaders($response, $limit->maxAttempts, $this->calculateRemainingAttempts($limit->key, $limit->maxAttempts));
        }
        return $response;
    }
}
