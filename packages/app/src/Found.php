<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\Http\{Handler, Site};
use Sluice\Server;

/** An application that was found in a folder. */
final class Found
{
    /**
     * @param Config $config with the values of a configuration that the application has itself
     * @param bool $isClassic whether each request has superglobals and settings of PHP of its own
     * @param (\Closure(Server, Site): void)|null $add adds what the application has beside its handler
     */
    public function __construct(
        public readonly Handler|\Closure $handler,
        public readonly Config $config,
        public readonly bool $isClassic = false,
        public readonly ?\Closure $add = null,
    ) {}
}
