<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests\App;

use Sluice\Symfony\SluiceBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** A small application, as Symfony's own recipes begin one. */
final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new SluiceBundle(), new Assets\AssetsBundle()];
    }

    public function getProjectDir(): string
    {
        return __DIR__;
    }

    public function getCacheDir(): string
    {
        return (\getenv('APP_VAR') ?: \sys_get_temp_dir() . '/sluice-symfony') . '/cache/' . $this->getEnvironment();
    }

    public function getLogDir(): string
    {
        return \dirname($this->getCacheDir(), 2) . '/log';
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', [
            'secret' => 'a secret',
            'http_method_override' => false,
            'handle_all_throwables' => false,
            'php_errors' => ['log' => true],
            'session' => ['enabled' => true, 'storage_factory_id' => 'session.storage.factory.native', 'handler_id' => 'session.handler.native_file', 'save_path' => \getenv('APP_VAR') . '/sessions', 'cookie_secure' => 'auto', 'cookie_samesite' => 'lax'],
            'form' => ['csrf_protection' => ['enabled' => false]],
            'validation' => ['enabled' => true],
            'cache' => ['app' => 'sluice.cache', 'pools' => ['cache.limits' => ['adapter' => 'sluice.cache']]],
            'lock' => ['reports' => 'sluice.lock'],
            'set_locale_from_accept_language' => true,
            'enabled_locales' => ['en', 'de', 'fr'],
            'default_locale' => 'en',
        ]);
        $services = $container->services()->defaults()->autowire()->autoconfigure();
        $services->set(Controller::class)->public()->tag('controller.service_arguments');
        $services->set(CurrentUser::class);
        $services->set(Chat::class);
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        foreach (['hello', 'whoami', 'count', 'login', 'logout', 'isolation', 'form', 'upload', 'stream', 'events', 'file', 'temporary', 'fails', 'exhausts', 'body', 'secure', 'kernels', 'crowd', 'cached', 'locked', 'say', 'live', 'subscribers', 'left', 'serverEvents', 'dumps', 'hints'] as $path) {
            $routes->add($path, "/$path")->controller([Controller::class, $path]);
        }
    }
}
