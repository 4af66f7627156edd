<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\Runtime\{RunnerInterface, SymfonyRuntime};

/**
 * Starts the server from an application's front controller, with `symfony/runtime` and
 *
 *     APP_RUNTIME='Sluice\Symfony\Runtime' php public/index.php
 *
 * In a PHP without the extension it does what SymfonyRuntime does. The environment sets options of Runner: SLUICE_ADDRESS, SLUICE_WORKERS, SLUICE_KERNELS, SLUICE_MAX_REQUESTS and so on.
 */
final class Runtime extends SymfonyRuntime
{
    /** @param array<string, mixed> $sluiceOptions the options of SymfonyRuntime, and `sluice`: an array of the options of Runner */
    public function __construct(private readonly array $sluiceOptions = [])
    {
        parent::__construct($sluiceOptions);
    }

    public function getRunner(?object $application): RunnerInterface
    {
        // In a PHP without the extension, such as php-fpm's, the same front controller answers the request.
        if (!$application instanceof KernelInterface || !\extension_loaded('sluice')) {
            return parent::getRunner($application);
        }
        $options = $this->sluiceOptions['sluice'] ?? [];
        return new Runner($application, \is_array($options) ? $options : []);
    }
}
