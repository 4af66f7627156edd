<?php

declare(strict_types=1);

// A front controller as symfony/runtime wants it; tests/server.php calls it.

use Sluice\Symfony\Tests\App\Kernel;

return static fn(): Kernel => new Kernel('prod', false);
