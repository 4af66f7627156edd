<?php

declare(strict_types=1);

// Leaks in the services of containers, which have the names and the properties of those of Symfony and Laravel.

namespace Symfony\Component\DependencyInjection {
    class Container
    {
        /** @var array<string, object> */
        protected $services = [];
        /** @var array<string, object> */
        protected $privates = [];
    }
}

namespace Illuminate\Container {
    class Container
    {
        /** @var array<mixed> */
        protected $instances = [];
    }
}

namespace Sluice\EndToEnd {
    use Sluice\Http\{Request, Response};
    use Sluice\Leak;

    require __DIR__ . '/support.php';

    final class Cart
    {
        public static ?self $last = null;
        /** @var list<string> */
        public array $items = [];
        /** @var \ArrayObject<int, string>|null */
        public ?\ArrayObject $log = null;
    }

    final class Compiled extends \Symfony\Component\DependencyInjection\Container
    {
        public function public(string $id): Cart
        {
            return $this->services[$id] ??= new Cart();
        }

        public function private(string $id): Cart
        {
            return $this->privates[$id] ??= new Cart();
        }
    }

    final class Application extends \Illuminate\Container\Container
    {
        public function instance(string $id, mixed $value): mixed
        {
            return $this->instances[$id] = $value;
        }

        public function make(string $id): Cart
        {
            return $this->instances[$id] ??= new Cart();
        }
    }

    $server = server();
    $server->detectLeaks(fn(Leak $leak) => report('leak', ['place' => $leak->place, 'leak' => (string) $leak]), ['the service "ignored"*']);
    $container = new Compiled();
    $application = new Application();
    $application->instance('app', $application);
    $leaks = [
        'public' => fn() => $container->public('app.cart')->items[] = 'item',
        'private' => fn() => $container->private('App\Cart')->items[] = 'item',
        'laravel' => fn() => $application->make('cart')->items[] = 'item',
        'scalar' => fn() => $application->instance('path', uniqid()),
        'replaced' => fn() => $application->instance('user', new \stdClass()),
        'deep' => fn() => ($container->public('logger')->log ??= new \ArrayObject())->append('item'),
        'static' => function () use ($container): void {
            Cart::$last = $container->public('last');
            Cart::$last->items[] = 'item';
        },
        'number' => fn() => $application->make('7')->items[] = 'item',
        'ignored' => fn() => $container->public('ignored')->items[] = 'item',
    ];
    $site = $server->http(address(), fn(Request $request, Response $response) => $response->text('clean'));
    foreach ($leaks as $name => $leak) {
        $site->get("/leak/$name", function (Request $request, Response $response) use ($leak): void {
            $leak();
            $response->text('leaked');
        });
    }
    $server->run();
}
