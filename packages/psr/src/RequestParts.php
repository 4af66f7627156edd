<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Message\{StreamInterface, UriInterface};

/**
 * What a request and its clones have in common once one of them was asked for it: a body that arrives has one stream, whoever reads it.
 *
 * @internal
 */
final class RequestParts
{
    public ?UriInterface $uri = null;
    public ?StreamInterface $body = null;
    /** @var array<mixed>|null */
    public ?array $files = null;
}
