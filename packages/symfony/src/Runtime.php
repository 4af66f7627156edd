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
 * What the Runner takes from its options it takes from the environment, too.
 */
final class Runtime extends SymfonyRuntime
{
    /** @param array<string, mixed> $sluiceOptions those of SymfonyRuntime, and `sluice`: those of the Runner */
    public function __construct(private readonly array $sluiceOptions = [])
    {
        parent::__construct($sluiceOptions);
    }

    public function getRunner(?object $application): RunnerInterface
    {
        if (!$application instanceof KernelInterface) {
            return parent::getRunner($application);
        }
        $options = $this->sluiceOptions['sluice'] ?? [];
        return new Runner($application, \is_array($options) ? $options : []);
    }
}
