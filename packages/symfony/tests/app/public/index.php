<?php

declare(strict_types=1);

// A front controller as symfony/runtime wants it; what calls it stands in tests/server.php.

use Sluice\Symfony\Tests\App\Kernel;

return static fn(): Kernel => new Kernel('prod', false);
