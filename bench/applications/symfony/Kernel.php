<?php

declare(strict_types=1);

namespace App;

use Sluice\Symfony\SluiceBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), ...($this->isServedBySluice() ? [new SluiceBundle()] : [])];
    }

    public function getProjectDir(): string
    {
        return __DIR__;
    }

    public function getCacheDir(): string
    {
        return __DIR__ . '/var/cache/' . ($this->isServedBySluice() ? 'sluice' : 'other');
    }

    public function hello(): Response
    {
        return new Response('hello world', headers: ['Content-Type' => 'text/plain; charset=utf-8', 'Content-Length' => '11']);
    }

    public function waits(): Response
    {
        return new Response((string) file_get_contents((string) getenv('UPSTREAM')));
    }

    private function isServedBySluice(): bool
    {
        return extension_loaded('sluice');
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', ['secret' => 'a secret', 'http_method_override' => false, 'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('hello', '/')->controller([$this, 'hello']);
        $routes->add('waits', '/waits')->controller([$this, 'waits']);
    }
}
