<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests\App\Assets;

use Symfony\Component\HttpKernel\Bundle\Bundle;

/** With files that `assets:install --symlink` has linked to. */
final class AssetsBundle extends Bundle {}
