<?php

declare(strict_types=1);

namespace App;

use Symfony\Contracts\Service\ResetInterface;

/** What the application knows of who asks: templates have it as a global. */
final class Visitor implements ResetInterface
{
    /** As libraries keep it that know one request at a time; see config/packages/sluice.yaml. */
    public static ?string $last = null;

    public ?string $name = null;

    public function reset(): void
    {
        $this->name = null;
    }
}
