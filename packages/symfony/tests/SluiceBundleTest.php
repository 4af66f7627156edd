<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests;

use PHPUnit\Framework\Attributes\{CoversClass, DataProvider};
use PHPUnit\Framework\TestCase;
use Sluice\Symfony\SluiceBundle;
use Symfony\Component\DependencyInjection\{ContainerBuilder, Definition, Reference};
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\StoreFactory;

/** What differs between versions of Symfony; SymfonyTest has the rest, with the version that is installed. */
#[CoversClass(SluiceBundle::class)]
final class SluiceBundleTest extends TestCase
{
    /** @return array<string, array{Reference|string}> how the framework's configuration gives a store's name to the factory */
    public static function stores(): array
    {
        return ['Symfony 6.4' => ['sluice.lock'], 'Symfony 7' => [new Reference('sluice.lock')]];
    }

    #[DataProvider('stores')]
    public function testLocksAreInTheSharedTable(Reference|string $store): void
    {
        $container = new ContainerBuilder();
        foreach (['.lock.default.store' => $store, '.lock.other.store' => 'flock'] as $id => $argument) {
            $container->setDefinition($id, (new Definition(PersistingStoreInterface::class))->setFactory([StoreFactory::class, 'createStore'])->setArguments([$argument]));
        }
        (new SluiceBundle())->process($container);
        self::assertSame('sluice.lock', (string) $container->getAlias('.lock.default.store'));
        self::assertTrue($container->hasDefinition('.lock.other.store'));
    }
}
