<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests\App;

use Symfony\Contracts\Service\ResetInterface;

/** A service that knows who asks, as a token storage does. */
final class CurrentUser implements ResetInterface
{
    public ?string $name = null;

    public function reset(): void
    {
        $this->name = null;
    }
}
