<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\{CoversClass, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\App\Leaks\{CheckedServer, Place};

/** `check --leaks`. */
#[CoversClass(CheckedServer::class)]
#[CoversClass(Place::class)]
final class LeaksTest extends TestCase
{
    private const HANDLER = <<<'PHP'
        <?php
        final class Cart { public static array $items = []; }
        return function ($request, $response) {
            match ($request->path()) {
                '/leak' => Cart::$items[] = $request->query('item'),
                '/error' => throw new LogicException('wrong'),
                default => null,
            };
            $response->status($request->path() === '/missing' ? 404 : 200)->text('answer');
        };
        PHP;

    #[TestWith(['the server->handler->application->container->services[\'app.cart\']->items[2]', 'the service "app.cart", ->items[2]'])]
    #[TestWith(['the server->kernels[0]->container->privates[\'App\Cart\']', 'the service "App\Cart"'])]
    #[TestWith(['$app->instances[\'events\']->listeners', 'the service "events", ->listeners'])]
    #[TestWith(['$a->services[\'one\']->locator->container->services[\'it\\\'s\']->items[\'x\']', 'the service "it\\\'s", ->items[\'x\']'])]
    #[TestWith(['App\Cart::$items[\'a\']->price', 'App\Cart::$items[\'a\']->price'])]
    public function testPlacesInServicesHaveTheirIds(string $place, string $named): void
    {
        self::assertSame($named, Place::named($place));
    }

    public function testAnApplicationWithoutLeaksPasses(): void
    {
        [$status, $printed] = (new Project(['handler.php' => self::HANDLER]))->run([], 'check', '--leaks', '--times=5', '/', 'http://localhost:8080/missing?a=b');
        self::assertSame([0, "requested  GET /: 5 × 200\nrequested  GET /missing?a=b: 5 × 404\nNo leaks.\n"], [$status, $printed]);
    }

    public function testLeaksAreNamedAndFailTheCheck(): void
    {
        $project = new Project(['handler.php' => self::HANDLER]);
        [$status, $printed] = $project->run(['SLUICE_WORKERS' => '4'], 'check', '--leaks', '/', '/leak?item=tea');
        self::assertSame(1, $status, $printed);
        self::assertStringContainsString("requested  GET /leak?item=tea: 20 × 200\n", $printed);
        self::assertStringContainsString('leak       GET /leak leaves Cart::$items as an array of 3; it was an array of 2', $printed);
        self::assertStringEndsWith("1 leak.\n", $printed);
        self::assertSame(['handler.php', 'output'], \array_values(\array_diff(\scandir($project->folder) ?: [], ['.', '..'])));
    }

    public function testServicesOfSymfonyHaveTheirIds(): void
    {
        $project = new Project([
            'composer.json' => '{}',
            'src/Cart.php' => '<?php namespace App; final class Cart { public array $items = []; }',
            'src/Kernel.php' => '<?php namespace App; final class Kernel extends \Symfony\Component\HttpKernel\Kernel {
                use \Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
                public function registerBundles(): iterable { return [new \Symfony\Bundle\FrameworkBundle\FrameworkBundle()]; }
                private function configureContainer($container): void {
                    $container->extension("framework", ["secret" => "x", "http_method_override" => false]);
                    $container->services()->set("app.cart", Cart::class)->public();
                }
                private function configureRoutes($routes): void { $routes->add("add", "/add")->controller([$this, "add"]); $routes->add("home", "/")->controller([$this, "home"]); }
                public function add(): \Symfony\Component\HttpFoundation\Response {
                    $this->container->get("app.cart")->items[] = "tea";
                    return $this->home();
                }
                public function home(): \Symfony\Component\HttpFoundation\Response { return new \Symfony\Component\HttpFoundation\Response("home"); }
            }',
        ]);
        [$status, $printed] = $project->run(['SLUICE_KERNELS' => '1'], 'check', '--leaks', '--times=6', '/');
        self::assertSame([0, "requested  GET /: 6 × 200\nNo leaks.\n"], [$status, $printed]);
        [$status, $printed] = $project->run([], 'check', '--leaks', '--times=6', '/add');
        self::assertStringContainsString('leak       GET /add leaves the service "app.cart", ->items as an array of ', $printed);
        self::assertSame(1, $status, $printed);
    }

    public function testWhatCannotBeCheckedIsSaid(): void
    {
        foreach ([
            [['handler.php' => self::HANDLER], ['/error'], '20 × 500'],
            [['handler.php' => '<?php throw new LogicException("no boot");'], ['/'], 'The application does not start'],
            [['handler.php' => self::HANDLER], ['cart'], 'A URL is a path such as /cart?item=7, "cart" given'],
            [['handler.php' => self::HANDLER], ['--times=1'], 'The option times must be 4 to 100000'],
        ] as [$files, $arguments, $sentence]) {
            [$status, $printed] = (new Project($files))->run([], 'check', '--leaks', ...$arguments);
            self::assertStringContainsString($sentence, (string) \preg_replace('/\s+/', ' ', $printed));
            self::assertSame(2, $status, $printed);
        }
    }
}
