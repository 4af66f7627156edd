<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Shared\Table;
use Sluice\Symfony\Session\SessionStorageFactory;
use Sluice\Symfony\WebSocket\AsWebSocket;
use Sluice\WebSocket\Handler;
use Symfony\Component\Cache\Adapter\AbstractAdapter;
use Symfony\Component\Config\Definition\Configurator\DefinitionConfigurator;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\{ChildDefinition, ContainerBuilder, Reference};
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Bundle\AbstractBundle;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\StoreFactory;

/**
 * Gives each request of an application a session of its own, in place of PHP's session functions, which have one session for the whole
 * process. `framework.session` says where sessions are kept: by its `handler_id`, or in files below its `save_path`.
 *
 * The services `sluice.cache`, an adapter of cache pools, and `sluice.lock`, a store of locks, are in memory that all workers share; in a PHP without the
 * extension, such as php-fpm's, in files.
 */
final class SluiceBundle extends AbstractBundle implements CompilerPassInterface
{
    private const FACTORY = 'sluice.session.storage.factory';
    /** Services that use PHP's session functions. */
    private const OF_PHP = ['session.handler.native', 'session.handler.native_file'];

    /** The tables that must be there before the workers are. */
    private const TABLES = ['sluice.cache.table', 'sluice.lock.table'];

    public function configure(DefinitionConfigurator $definition): void
    {
        $nodes = $definition->rootNode()->children();
        foreach (['cache' => 16 << 20, 'lock' => 1 << 20] as $what => $bytes) {
            $nodes->arrayNode($what)->addDefaultsIfNotSet()->children()
                ->scalarNode('table')->info('The name of the shared table')->defaultValue("symfony.$what")->end()
                ->integerNode('bytes')->info('Its size; the system provides memory as it is used')->defaultValue($bytes)->end();
        }
        $nodes->arrayNode('services')->info('Commands that run beside the workers and are started again when they have ended, by their names')->useAttributeAsKey('name')
            ->arrayPrototype()
                ->beforeNormalization()->ifString()->then(static fn(string $command): array => ['command' => $command])->end()
                ->children()
                    ->scalarNode('command')->info('As for bin/console: messenger:consume async')->isRequired()->cannotBeEmpty()->end()
                    ->integerNode('processes')->defaultValue(1)->end();
        $nodes->arrayNode('cron')->info('Commands that run at certain times, in one process of the server')
            ->arrayPrototype()
                ->children()
                    ->scalarNode('at')->info('As in a crontab: */5 * * * *')->isRequired()->cannotBeEmpty()->end()
                    ->scalarNode('command')->isRequired()->cannotBeEmpty()->end()
                    ->scalarNode('time_zone')->info('PHP\'s default without')->defaultNull()->end();
        $nodes->arrayNode('isolate')->info('Classes, or Some\Class::$property, whose static properties are each request\'s own')->scalarPrototype()->end();
    }

    /** @param array<mixed> $config */
    public function loadExtension(array $config, ContainerConfigurator $container, ContainerBuilder $builder): void
    {
        foreach (['cache', 'lock'] as $what) {
            $table = $config[$what] ?? null;
            \assert(\is_array($table));
            // A cache makes room by what has not been used for long; a lock must not go that way.
            $builder->register("sluice.$what.table", Table::class)->setFactory([Shared::class, 'table'])
                ->setArguments([$table['table'] ?? null, $table['bytes'] ?? null, $what === 'cache'])->setPublic(true);
        }
        foreach (['isolate', 'services', 'cron'] as $what) {
            $list = $config[$what] ?? [];
            \assert(\is_array($list));
            $builder->setParameter("sluice.$what", $list);
        }
        $builder->register('sluice.cache', AbstractAdapter::class)->setAbstract(true)->setFactory([Shared::class, 'cache'])
            ->setArguments([new Reference('sluice.cache.table'), '', 0, '%kernel.cache_dir%/pools/sluice'])
            ->addMethodCall('setLogger', [new Reference('logger', ContainerBuilder::IGNORE_ON_INVALID_REFERENCE)])
            ->addTag('monolog.logger', ['channel' => 'cache'])
            ->addTag('cache.pool', ['provider' => 'sluice.cache.table', 'clearer' => 'cache.default_clearer', 'reset' => 'reset']);
        $builder->register(Publisher::class, Publisher::class)->setPublic(true);
        $builder->register(EarlyHints::class, EarlyHints::class)->setArguments([new Reference('request_stack')]);
        $builder->registerAttributeForAutoconfiguration(AsWebSocket::class, static function (ChildDefinition $definition): void {
            $definition->setPublic(true)->addTag('sluice.web_socket');
        });
        if (\interface_exists(PersistingStoreInterface::class)) {
            $builder->register('sluice.lock', PersistingStoreInterface::class)->setFactory([Shared::class, 'lock'])->setArguments([new Reference('sluice.lock.table')]);
        }
    }

    /** Makes the tables: a kernel is booted before there are workers, so that they share them. */
    public function boot(): void
    {
        foreach (self::TABLES as $table) {
            $this->container?->get($table);
        }
    }

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
        $this->processSession($container);
        $this->processLocks($container);
        $this->processWebSockets($container);
    }

    private function processWebSockets(ContainerBuilder $container): void
    {
        $services = [];
        foreach (\array_keys($container->findTaggedServiceIds('sluice.web_socket')) as $id) {
            $class = $container->getDefinition($id)->getClass() ?? $id;
            if ($class !== $id || (\interface_exists(Handler::class) && !\is_subclass_of($class, Handler::class))) {
                throw new \LogicException("The service \"$id\" has the attribute AsWebSocket: it must implement " . Handler::class . ', and be named as its class');
            }
            $services[] = $id;
        }
        $container->setParameter('sluice.web_sockets', $services);
    }

    /** `framework.lock` gives what it refers to to a factory, which only knows the stores of Symfony itself. */
    private function processLocks(ContainerBuilder $container): void
    {
        foreach ($container->getDefinitions() as $id => $definition) {
            if ($definition->getFactory() === [StoreFactory::class, 'createStore'] && self::firstOf($definition->getArguments()) === 'sluice.lock') {
                $container->setAlias($id, 'sluice.lock');
            }
        }
    }

    /** @param array<mixed> $arguments */
    private static function firstOf(array $arguments): string
    {
        $first = $arguments[0] ?? null;
        // Symfony 6.4 gives the name of a service as it is written.
        return $first instanceof Reference || \is_string($first) ? (string) $first : '';
    }

    private function processSession(ContainerBuilder $container): void
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
