<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Symfony\Component\HttpKernel\KernelInterface;

/**
 * For whom a kernel works. Symfony chooses its error pages, its logs and its dumps by it; without APP_RUNTIME_MODE it would ask PHP_SAPI, which is "cli" in all processes of the server,
 * and show a terminal's exceptions, with paths and source, to clients.
 *
 * @internal
 */
enum RuntimeMode: string
{
    case Web = 'web=1&worker=1';
    case Console = 'web=0';

    public function boot(KernelInterface $kernel): void
    {
        $_ENV['APP_RUNTIME_MODE'] = $_SERVER['APP_RUNTIME_MODE'] = $this->value;
        $kernel->boot();
        $container = $kernel->getContainer();
        // The container keeps what it has resolved: the variable counts no more. Symfony has these parameters since 6.4.
        foreach (['kernel.runtime_mode.web', 'kernel.runtime_mode.cli', 'kernel.runtime_mode.worker'] as $parameter) {
            $container->hasParameter($parameter) && $container->getParameter($parameter);
        }
    }
}
