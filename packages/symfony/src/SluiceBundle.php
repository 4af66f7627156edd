<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Symfony\Session\SessionStorageFactory;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\{ContainerBuilder, Reference};
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Bundle\AbstractBundle;

/**
 * Gives each request of an application a session of its own, in place of PHP's session functions, which have one session for the whole
 * process. `framework.session` says where sessions are kept: by its `handler_id`, or in files below its `save_path`.
 */
final class SluiceBundle extends AbstractBundle implements CompilerPassInterface
{
    private const FACTORY = 'sluice.session.storage.factory';
    /** Services that use PHP's session functions. */
    private const OF_PHP = ['session.handler.native', 'session.handler.native_file'];

    public function build(ContainerBuilder $container): void
    {
        $container->addCompilerPass($this);
    }

    public function prependExtension(ContainerConfigurator $container, ContainerBuilder $builder): void
    {
        foreach ($builder->getExtensionConfig('framework') as $config) {
            $session = $config['session'] ?? null;
            $factory = \is_array($session) ? $session['storage_factory_id'] ?? null : null;
            // A factory that a test has chosen, such as "session.storage.factory.mock_file", stays.
            if (\is_string($factory) && \str_starts_with($factory, 'session.storage.factory.mock')) {
                return;
            }
        }
        foreach ($builder->getExtensionConfig('framework') as $config) {
            if (($config['session'] ?? false) !== false) {
                $builder->loadFromExtension('framework', ['session' => ['storage_factory_id' => self::FACTORY]]);
                return;
            }
        }
    }

    public function process(ContainerBuilder $container): void
    {
        if (!$container->hasParameter('session.storage.options')) {
            return;
        }
        $handler = $container->hasAlias('session.handler') ? (string) $container->getAlias('session.handler') : null;
        $path = $container->hasParameter('session.save_path') ? $container->getParameter('session.save_path') : null;
        $container->register(self::FACTORY, SessionStorageFactory::class)->setArguments([
            '%session.storage.options%',
            \is_string($path) && $path !== '' ? $path : '%kernel.project_dir%/var/sessions/%kernel.environment%',
            $handler === null || \in_array($handler, self::OF_PHP, true) ? null : new Reference($handler),
        ]);
    }
}
