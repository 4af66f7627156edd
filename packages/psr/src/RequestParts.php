<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\Http\Message\{StreamInterface, UriInterface};

/**
 * Parts that a ServerRequest shares with its clones, once one of them has made a part: a body that is read as it arrives has one
 * stream only.
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
