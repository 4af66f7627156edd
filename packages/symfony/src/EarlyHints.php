<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Http\Response;
use Symfony\Component\HttpFoundation\RequestStack;

/** Tells the client what it will need (103, RFC 8297) while the controller is still at work. */
final class EarlyHints
{
    /** The attribute of a request that holds the server's response to it. */
    public const ATTRIBUTE = 'sluice.response';

    public function __construct(private readonly RequestStack $requests) {}

    /**
     * Sends the links at once. Outside of the server's requests, in a test for one, it does nothing.
     *
     * @param string ...$links such as `</style.css>; rel=preload; as=style`
     * @throws \ValueError for a link that is empty or holds control characters
     */
    public function send(string ...$links): void
    {
        $response = $this->requests->getMainRequest()?->attributes->get(self::ATTRIBUTE);
        if ($response instanceof Response) {
            $response->earlyHints(...$links);
        }
    }
}
