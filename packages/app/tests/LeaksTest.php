<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\App\Leaks\CheckedServer;
use Sluice\Laravel\Tests\Application;
use Sluice\Testing\TestServer;

/** `check --leaks`. */
#[CoversClass(CheckedServer::class)]
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

    private static function symfony(): Project
    {
        return new Project([
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
    }

    public function testServicesOfSymfonyHaveTheirIds(): void
    {
        $project = self::symfony();
        [$status, $printed] = $project->run(['SLUICE_KERNELS' => '1'], 'check', '--leaks', '--times=6', '/');
        self::assertSame([0, "requested  GET /: 6 × 200\nNo leaks.\n"], [$status, $printed]);
        [$status, $printed] = $project->run([], 'check', '--leaks', '--times=6', '/add');
        self::assertStringContainsString('leak       GET /add leaves the service "app.cart", ->items as an array of ', $printed);
        self::assertMatchesRegularExpression("~^leak       GET /add leaves the service .* \\(at $project->folder/src/Kernel.php:\\d+\\)$~m", $printed);
        self::assertSame(1, $status, $printed);
        $server = $project->serve([], '--dev', '--workers=1', '--kernels=1');
        $server->getAll(\array_fill(0, 6, '/add'));
        $server->waitUntil(static fn() => \str_contains($server->log(), 'Leak: GET /add leaves the service "app.cart", ->items as an array of '), 'the log has the id');
        self::assertCount(1, $server->leaks(), $server->log());
        $server->stop();
    }

    public function testServicesOfLaravelHaveTheirIds(): void
    {
        $application = new Application();
        \file_put_contents("$application->folder/routes/web.php", <<<'PHP'
            app()->singleton('cart', fn() => new ArrayObject());
            Route::get('/add', fn() => app('cart')->append('tea') ?? 'added');
            PHP, \FILE_APPEND);
        // A service that is kept is not rolled back.
        \file_put_contents("$application->folder/config/sluice.php", "<?php return ['applications' => 1, 'workers' => 1, 'sandbox' => ['kept' => ['cart']]];");
        $server = TestServer::startCommand(Project::command('serve', '--dev'), folder: $application->folder);
        for ($time = 0; $time < 6; ++$time) {
            self::assertSame('added', $server->get('/add')->body, $server->log());
        }
        $server->waitUntil(static fn() => \str_contains($server->log(), 'Leak: GET /add leaves the service "cart"'), 'the log has the id');
        self::assertCount(1, $server->leaks(), $server->log());
        $server->stop();
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
