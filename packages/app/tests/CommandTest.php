<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\App\Config;
use Sluice\Laravel\Tests\Application;
use Sluice\Testing\{Answer, TestServer};
use Symfony\Component\Yaml\Yaml;

/** The command as a user calls it. */
#[CoversNothing]
final class CommandTest extends TestCase
{
    private const HANDLER = '<?php return fn ($request, $response) => $response->text("a callable\n");';

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testACallableIsServedWithTheFilesOfPublic(string $mode): void
    {
        $project = new Project(['handler.php' => self::HANDLER, 'public/style.css' => 'css', 'public/index.php' => '<?php secret();']);
        $server = $project->serve([], "--mode=$mode", '--workers=1');
        self::assertSame("a callable\n", $server->get('/')->body);
        self::assertSame('css', $server->get('/style.css')->body);
        self::assertSame("a callable\n", $server->get('/index%2Ephp')->body);
        $server->stop();
    }

    public function testAPsr15ApplicationIsServed(): void
    {
        $project = new Project(['handler.php' => '<?php return new class implements Psr\Http\Server\RequestHandlerInterface {
            public function handle(Psr\Http\Message\ServerRequestInterface $request): Psr\Http\Message\ResponseInterface
            {
                return new Nyholm\Psr7\Response(200, [], "PSR-15 at {$request->getUri()->getPath()}");
            }
        };']);
        $server = $project->serve(['SLUICE_WORKERS' => '1']);
        self::assertSame('PSR-15 at /x', $server->get('/x')->body);
        $server->stop();
    }

    public function testASymfonyApplicationIsFound(): void
    {
        $project = new Project([
            'composer.json' => '{}',
            'src/Kernel.php' => '<?php namespace App; final class Kernel extends \Symfony\Component\HttpKernel\Kernel {
                use \Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
                public function registerBundles(): iterable { return [new \Symfony\Bundle\FrameworkBundle\FrameworkBundle()]; }
                private function configureContainer($container): void { $container->extension("framework", ["secret" => "x", "http_method_override" => false]); }
                private function configureRoutes($routes): void { $routes->add("home", "/")->controller([$this, "home"]); }
                public function home(): \Symfony\Component\HttpFoundation\Response { return new \Symfony\Component\HttpFoundation\Response("Symfony in " . $this->environment); }
            }',
        ]);
        $server = $project->serve(['SLUICE_WORKERS' => '1', 'SLUICE_KERNELS' => '2', 'APP_ENV' => 'staging']);
        self::assertSame('Symfony in staging', $server->get('/')->body);
        $server->stop();
    }

    public function testASymfonyApplicationHasItsDotenvFiles(): void
    {
        $project = new Project([
            '.env' => "APP_ENV=staging\nGREETING=hello\n",
            '.env.staging.local' => "GREETING=moin\n",
            'src/Kernel.php' => '<?php namespace App; final class Kernel extends \Symfony\Component\HttpKernel\Kernel {
                use \Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
                public function registerBundles(): iterable { return [new \Symfony\Bundle\FrameworkBundle\FrameworkBundle()]; }
                private function configureContainer($container): void {
                    $container->extension("framework", ["secret" => "%env(GREETING)%", "http_method_override" => false]);
                    $container->parameters()->set("greeting", "%env(GREETING)%");
                }
                private function configureRoutes($routes): void { $routes->add("home", "/")->controller([$this, "home"]); }
                public function home(): \Symfony\Component\HttpFoundation\Response {
                    return new \Symfony\Component\HttpFoundation\Response($this->container->getParameter("greeting") . " in " . $this->environment . ($this->debug ? ", debug" : ""));
                }
            }',
        ]);
        $server = $project->serve([], '--workers=1', '--kernels=1');
        self::assertSame('moin in staging, debug', $server->get('/')->body);
        $server->stop();
        // The environment counts more.
        $server = $project->serve(['APP_ENV' => 'prod'], '--workers=1', '--kernels=1');
        self::assertSame('hello in prod', $server->get('/')->body);
        $server->stop();
        \file_put_contents("$project->folder/.env", "GREETING=hello\n");
        $server = $project->serve([], '--dev', '--workers=1', '--kernels=1');
        self::assertSame('hello in dev, debug', $server->get('/')->body);
        $server->stop();
    }

    public function testWarmKernelsAreBootedBeforeTheWorkers(): void
    {
        $project = new Project([
            'composer.json' => '{}',
            'src/Kernel.php' => '<?php namespace App; final class Kernel extends \Symfony\Component\HttpKernel\Kernel {
                use \Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
                private int $process = 0;
                public function registerBundles(): iterable { return [new \Symfony\Bundle\FrameworkBundle\FrameworkBundle()]; }
                public function boot(): void { $this->process = $this->process ?: getmypid(); parent::boot(); }
                private function configureContainer($container): void { $container->extension("framework", ["secret" => "x", "http_method_override" => false]); }
                private function configureRoutes($routes): void { $routes->add("home", "/")->controller([$this, "home"]); }
                public function home(): \Symfony\Component\HttpFoundation\Response {
                    usleep(200_000);
                    return new \Symfony\Component\HttpFoundation\Response($this->process === getmypid() ? "later" : "before");
                }
            }',
        ]);
        foreach (['2' => ['before', 'before', 'later'], '0' => ['later', 'later', 'later'], '9' => ['before', 'before', 'before']] as $warm => $booted) {
            $server = $project->serve(['SLUICE_WARM' => (string) $warm], '--workers=1', '--kernels=3');
            $answers = \array_map(static fn(Answer $answer) => $answer->body, $server->getAll(['/', '/', '/']));
            \sort($answers);
            self::assertSame($booted, $answers, "$warm warm kernels\n" . $server->log());
            $server->stop();
        }
    }

    public function testALaravelApplicationIsFound(): void
    {
        $application = new Application();
        $call = static function (string ...$arguments) use ($application): string {
            \exec('cd ' . \escapeshellarg($application->folder) . ' && ' . \implode(' ', \array_map(\escapeshellarg(...), Project::command(...$arguments))) . ' 2>&1', $lines);
            return \implode("\n", $lines);
        };
        // What its own configuration says holds where the command says nothing.
        $environment = ['SLUICE_WORKERS' => '1', 'SLUICE_SCHEDULER' => 'true', 'SLUICE_PROXIES_ADDRESSES' => '127.0.0.1'];
        $server = TestServer::startCommand(Project::command('serve', '--kernels=3'), environment: $environment, folder: $application->folder);
        self::assertSame(['Laravel', false], $server->get('/settings')->json(), $server->log());
        self::assertSame('text/css; charset=utf-8', $server->get('/style.css')->header('content-type'));
        // What a proxy says is the server's, and Laravel's without TrustProxies.
        $answer = (array) $server->get('/whoami', ['X-Forwarded-Proto: https', 'X-Forwarded-Host: shop.example'])->json();
        self::assertSame('https://shop.example', $answer[1]);
        $processes = $call('status');
        self::assertSame([1, 1], [\substr_count($processes, 'worker 0'), \substr_count($processes, 'service scheduler')], $processes);
        self::assertFileExists("$application->folder/storage/framework/sluice.pid");
        \file_put_contents("$application->folder/.env", "APP_NAME=Another\n", \FILE_APPEND);
        $call('reload');
        $server->waitUntil(static fn() => \str_contains($server->get('/settings')->body, 'Another'), 'it has reloaded');
        $server->stop();
        self::assertStringContainsString('No server runs', $call('stop'));
    }

    public function testALaravelApplicationIsServedForDevelopment(): void
    {
        $application = new Application();
        $server = TestServer::startCommand(Project::command('serve', '--dev', '--workers=1'), folder: $application->folder);
        self::assertSame(['Laravel', false], $server->get('/settings')->json(), $server->log());
        $boot = $server->get('/_sluice/refresh')->body;
        $routes = "$application->folder/routes/web.php";
        \file_put_contents($routes, "\nIlluminate\\Support\\Facades\\Route::get('/later', fn () => '<body>later</body>');\n", \FILE_APPEND);
        $server->waitUntil(static fn() => \str_starts_with($server->get('/later')->body, '<body>later<script'), 'the new route is there');
        self::assertNotSame($boot, $server->get('/_sluice/refresh')->body);
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAScriptForPhpFpmIsFound(string $mode): void
    {
        $script = '<?php $name = $_GET["name"] ?? "nobody"; setcookie("name", $name); usleep(20_000);
            if ($name === "wrong") { throw new LogicException("a mistake"); }
            if ($name === "once") { function declared_as_it_runs() { return "once"; } echo declared_as_it_runs(), " "; }
            echo "hello $name, $_SERVER[REQUEST_URI]"; exit;';
        $project = new Project(['public/index.php' => $script, 'public/style.css' => 'css']);
        $server = $project->serve([], "--mode=$mode", '--workers=1');
        $paths = [];
        for ($i = 0; $i < 20; ++$i) {
            $paths["n$i"] = "/page?name=n$i";
        }
        foreach ($server->getAll($paths) as $name => $answer) {
            self::assertSame([200, "hello $name, /page?name=$name", "name=$name"], [$answer->status, $answer->body, $answer->header('set-cookie')], $server->log());
        }
        self::assertSame('css', $server->get('/style.css')->body);
        self::assertSame('hello nobody, /index.php', $server->get('/index.php')->body);
        self::assertSame(500, $server->get('/?name=wrong')->status);
        $server->stop();
        // Each request has a fresh PHP, and so may declare what it likes.
        $server = $project->serve(['SLUICE_HTTP_PROCESSES' => '2'], "--mode=$mode", '--workers=1');
        foreach ([1, 2, 3] as $_) {
            self::assertSame('once hello once, /?name=once', $server->get('/?name=once')->body, $server->log());
        }
        $server->stop();
        $server = $project->serve([], "--mode=$mode", '--dev', '--workers=1');
        self::assertSame('hello anna, /?name=anna', $server->get('/?name=anna')->body);
        $page = $server->get('/?name=wrong', ['Accept: text/html']);
        self::assertSame([500, true], [$page->status, \str_contains($page->body, 'a mistake')], $page->body);
        \file_put_contents("$project->folder/public/index.php", '<?php echo "changed";');
        $server->waitUntil(static fn() => $server->get('/')->body === 'changed', 'the change is served');
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testAFolderIsServed(string $mode): void
    {
        $project = new Project([
            'blog/index.php' => '<?php function once() { return "front of $_SERVER[REQUEST_URI]"; } echo once();',
            'blog/wp-admin/index.php' => '<?php require "../wp-config.php"; echo "$secret, ", basename(getcwd()), ", $_SERVER[SCRIPT_NAME]";',
            'blog/wp-config.php' => '<?php $secret = "secret";',
            'blog/wp-config.php.bak' => '<?php $secret = "secret";',
            'blog/style.css' => 'css',
            'shared/library.js' => 'library',
            'private.txt' => 'private',
        ]);
        \symlink('../shared', "$project->folder/blog/shared");
        \symlink('..', "$project->folder/blog/up");
        $server = $project->serve([], 'blog', "--mode=$mode", '--workers=1', '--links-to=../shared');
        self::assertSame('css', $server->get('/style.css')->body);
        self::assertSame('library', $server->get('/shared/library.js')->body);
        self::assertStringStartsWith('front of', $server->get('/up/private.txt')->body);
        foreach ([1, 2] as $_) {
            self::assertSame('front of /2024/a-post?x=y', $server->get('/2024/a-post?x=y')->body, $server->log());
            self::assertSame('secret, wp-admin, /wp-admin/index.php', $server->get('/wp-admin/')->body);
        }
        self::assertSame([200, ''], [$server->get('/wp-config.php')->status, $server->get('/wp-config.php')->body]);
        foreach (['/wp-config.php.bak', '/WP-CONFIG.PHP', '/wp-config%2Ephp.bak', '/wp-config.php/'] as $path) {
            self::assertStringNotContainsString('$secret', $server->get($path)->body);
        }
        self::assertSame(301, $server->get('/wp-admin')->status);
        $server->stop();
        [$status, $output] = $project->run([], 'serve', 'missing');
        self::assertSame([1, true], [$status, \str_contains($output, 'There is no script and no folder missing')], $output);
    }

    public function testAScriptOfItsOwnRuns(): void
    {
        $project = new Project(['own.php' => '<?php $server = new Sluice\Server(workers: 1); $server->http(getenv("ADDRESS"), fn ($q, $r) => $r->text("own")); $server->run();']);
        $server = $project->serve([], 'own.php');
        self::assertSame('own', $server->get('/')->body);
        $server->stop();
    }

    public function testAServerIsReloadedShownAndStopped(): void
    {
        $project = new Project([
            'handler.php' => self::HANDLER,
            'sluice.php' => '<?php return new Sluice\App\Config(address: "127.0.0.1:1", workers: 2, pidFile: "var.pid");',
        ]);
        [$status, $printed] = $project->run([], 'status');
        self::assertSame([1, true], [$status, \str_contains($printed, 'No server runs')], $printed);
        $server = $project->serve();
        \file_put_contents("$project->folder/handler.php", \str_replace('a callable', 'another one', self::HANDLER));
        self::assertSame("a callable\n", $server->get('/')->body);
        self::assertSame(0, $project->run([], 'reload')[0]);
        $server->waitUntil(static fn() => \str_contains($server->get('/')->body, 'another'), 'the new code is there');
        [$status, $printed] = $project->run([], 'status');
        self::assertSame(0, $status);
        foreach (['worker 0', 'worker 1', 'reactor', 'MiB'] as $word) {
            self::assertStringContainsString($word, $printed);
        }
        [$status, $printed] = $project->run([], 'stop');
        self::assertSame([0, "Stopped.\n"], [$status, $printed]);
        self::assertSame(1, $project->run([], 'reload')[0]);
        // A process id that is left over names no server.
        \file_put_contents("$project->folder/var.pid", (string) \getmypid());
        self::assertSame(1, $project->run([], 'stop')[0]);
        $server->stop();
    }

    public function testTheAdminListenerTellsOfTheServer(): void
    {
        $project = new Project(['handler.php' => self::HANDLER]);
        $socket = "unix:$project->folder/admin.sock";
        $options = ["--admin=$socket", '--admin-token=a-token-of-this-test'];
        [$status, $printed] = $project->run([], 'wait', '--ready', '--timeout=0', ...$options);
        self::assertSame([1, true], [$status, \str_contains($printed, 'does not answer')], $printed);
        $server = $project->serve(['SLUICE_ADMIN' => $socket, 'SLUICE_ADMIN_TOKEN' => 'a-token-of-this-test']);
        self::assertSame([0, ''], $project->run([], 'wait', '--ready', ...$options));
        [$status, $printed] = $project->run([], 'status', '--json', ...$options);
        $state = \json_decode($printed, true);
        self::assertSame([0, true], [$status, \is_array($state) && isset($state['server'], $state['routes'], $state['workers'])], $printed);
        [$status, $printed] = $project->run([], 'wait', '--ready', '--timeout=0', "--admin=$socket", '--admin-token=another-token-of-mine');
        self::assertSame([1, true], [$status, \str_contains($printed, 'wants another token')], $printed);
        [$status, $printed] = $project->run([], 'wait', '--ready');
        self::assertSame([1, true], [$status, \str_contains($printed, 'has no admin listener')], $printed);
        $server->stop();
    }

    public function testAReloadIsTriedOutAsTheNewConfigurationSays(): void
    {
        $project = new Project(['handler.php' => self::HANDLER]);
        $options = ["--admin=unix:$project->folder/admin.sock"];
        $server = $project->serve(['SLUICE_ADMIN' => "unix:$project->folder/admin.sock"]);
        $state = static fn(): string => $project->run([], 'status', '--json', ...$options)[1];
        self::assertStringContainsString('"reload":{"canary":null,"last":null}', $state());
        \file_put_contents("$project->folder/sluice.php", '<?php return new Sluice\App\Config(canarySeconds: 0.2, canaryShare: 0.5);');
        self::assertSame(0, $project->run([], 'reload')[0]);
        $server->waitUntil(static fn() => !\str_contains($state(), '"last":null'), 'it has reloaded');
        self::assertMatchesRegularExpression('/"last":{"generation":2,"result":"success","ended":[0-9.]+,"text":"0 requests, 0 failed, 0 without an answer, /', $state());
        $server->stop();
    }

    public function testWhatIsWrongIsSaidInASentence(): void
    {
        $empty = new Project(['composer.json' => '{}']);
        $callable = new Project(['handler.php' => self::HANDLER]);
        foreach ([
            [$empty, [], ['serve'], 'No application was found'],
            [$empty, [], ['serve', 'nowhere.php'], 'There is no script and no folder nowhere.php'],
            [$empty, ['SLUICE_WORKERS' => 'many'], ['serve'], 'SLUICE_WORKERS must be a number, "many" given'],
            [$empty, [], ['serve', '--workers=many'], 'The option workers must be a number, "many" given'],
            [$empty, ['SLUICE_WARM' => '-1'], ['serve'], 'The number of kernels that are warm must be 0 to 10000, -1 given'],
            [$empty, [], ['serve', '--mode=fast'], 'The mode must be process or base, "fast" given'],
            [$empty, [], ['serve', '--public=nowhere'], 'does not exist'],
            [$callable, [], ['serve', '--mode=base', '--workers=1', '--max-workers=2'], 'maxWorkers'],
            [$callable, [], ['serve', '--reactors=100'], 'reactors'],
            [$callable, [], ['serve', '--canary-share=0.1'], 'A share of 0.1 for a reload that is tried out needs canarySeconds, too'],
            [$callable, [], ['serve', '--canary-seconds=0'], 'must be between 0.1 and 3600 seconds, 0 given'],
            [$callable, [], ['serve', '--canary-seconds=1', '--mode=base'], 'Server::canary() is for process mode'],
            [$callable, [], ['serve', '--max-memory-bytes=1'], 'memoryBytes'],
            [new Project(['handler.php' => self::HANDLER, 'extend.php' => '<?php return 1;']), ['SLUICE_EXTEND' => 'extend.php'], ['serve'], 'The file of SLUICE_EXTEND must return a function, int given'],
            [new Project(['sluice.php' => '<?php return 1;']), [], ['serve'], 'must return a Sluice\App\Config, int given'],
            [new Project(['handler.php' => '<?php return 1;']), [], ['serve'], 'An application must be a Symfony kernel, a PSR-15 handler, a Sluice\Http\Handler or a callable, int given in handler.php'],
            [new Project(['artisan' => '']), ['WITHOUT_LARAVEL' => '1'], ['serve'], 'needs a package: composer require sluice/laravel'],
            [new Project(['artisan' => '']), ['WITHOUT_LARAVEL' => '1'], ['serve', '--dev', '--mode=fast'], 'The mode must be process or base'],
        ] as [$project, $environment, $arguments, $sentence]) {
            [$status, $printed] = $project->run($environment, ...$arguments);
            self::assertSame(1, $status);
            self::assertStringContainsString($sentence, (string) \preg_replace('/\s+/', ' ', $printed));
        }
    }

    public function testAServerRunsWithOpcacheForCodeThatStaysInMemory(): void
    {
        $handler = '<?php return fn ($request, $response) => $response->json([ini_get("opcache.enable_cli"), ini_get("opcache.validate_timestamps"), opcache_get_status(false) !== false, ini_get("precision")]);';
        $project = new Project(['handler.php' => $handler]);
        $server = $project->serve(['SLUICE_WORKERS' => '1']);
        self::assertSame('["1","0",true,"14"]', $server->get('/')->body);
        $server->stop();
        $config = '<?php return new Sluice\App\Config(workers: 1, php: ["opcache.enable_cli" => "0", "precision" => "5"]);';
        $project = new Project(['handler.php' => $handler, 'sluice.php' => $config]);
        $server = $project->serve();
        self::assertSame('["0","0",false,"5"]', $server->get('/')->body);
        $server->stop();
    }

    public function testOptionsOfTheEnvironmentReachTheServer(): void
    {
        $project = new Project(['handler.php' => '<?php return fn ($request, $response) => $response->json([$request->clientAddress(), strlen($request->body())]);', 'sluice.php' => '<?php return new Sluice\App\Config(workers: 1);']);
        $environment = ['SLUICE_PROXIES_ADDRESSES' => '127.0.0.1', 'SLUICE_HTTP_ACCESS_LOG_PATH' => "$project->folder/access.log", 'SLUICE_HTTP_ACCESS_LOG_FORMAT' => 'json', 'SLUICE_HTTP_LIMITS_BODY_BYTES' => '100'];
        foreach ([[], ['--dev']] as $options) {
            $server = $project->serve($environment, ...$options);
            self::assertSame(['192.0.2.7', 0], $server->get('/a', ['X-Forwarded-For: 192.0.2.7'])->json());
            self::assertSame(413, $server->request('POST', '/', [], \str_repeat('x', 101))->status);
            $server->waitUntil(static fn() => \str_contains((string) @\file_get_contents("$project->folder/access.log"), '"target":"/a"'), 'the access log has its line');
            $server->stop();
            \unlink("$project->folder/access.log");
        }
        // What is for clients does not concern the check.
        [$status, $printed] = $project->run($environment + ['SLUICE_SOCKET_MODE' => '0666'], 'check', '--leaks', '/');
        self::assertSame([0, "requested  GET /: 20 × 200\nNo leaks.\n"], [$status, $printed]);
    }

    public function testTheConfigurationExtendsTheServerAndReplacesWorkers(): void
    {
        $project = new Project([
            'handler.php' => '<?php return fn ($request, $response) => $response->text((string) getmypid());',
            'sluice.php' => '<?php return new Sluice\App\Config(workers: 1, maxRequests: 5, extend: function (Sluice\Server $server, Sluice\Http\Site $site): void {
                $site->get("/extended", fn ($request, $response) => $response->text("extended"));
                $server->service("beside", function ($service) { while ($service->wait(10)); });
            });',
        ]);
        foreach ([[], ['--dev']] as $options) {
            $server = $project->serve([], ...$options);
            self::assertSame('extended', $server->get('/extended')->body, $server->log());
            $server->waitUntil(static fn() => \str_contains($project->run([], 'status')[1], 'service beside'), 'the service runs');
            if ($options === []) {
                $first = $server->get('/')->body;
                $server->waitUntil(static fn() => $server->get('/')->body !== $first, 'another worker has taken over');
            }
            $server->stop();
        }
        $server = $project->serve(['SLUICE_MAX_REQUESTS' => '1000000', 'SLUICE_MAX_SECONDS' => '1']);
        $first = $server->get('/')->body;
        $server->waitUntil(static fn() => $server->get('/')->body !== $first, 'another worker has taken over');
        $server->stop();
    }

    public function testCheckLooksAtThisMachine(): void
    {
        [$status, $printed] = (new Project(['composer.json' => '{}']))->run([], 'check');
        self::assertSame(0, $status);
        foreach (['extension sluice: loaded', 'memory_limit', 'kernel', 'open files', 'vm.max_map_count'] as $word) {
            self::assertStringContainsString($word, $printed);
        }
    }

    public function testInitWritesFilesAndKeepsThoseThatAreThere(): void
    {
        $project = new Project(['Dockerfile' => 'mine', 'handler.php' => self::HANDLER]);
        [$status, $printed] = $project->run([], 'init');
        self::assertSame(0, $status);
        self::assertStringContainsString('kept     Dockerfile', $printed);
        self::assertSame('mine', \file_get_contents("$project->folder/Dockerfile"));
        self::assertStringContainsString("WorkingDirectory=$project->folder\n", (string) \file_get_contents("$project->folder/sluice.service"));
        // The application that the command has written serves.
        $server = $project->serve(['SLUICE_WORKERS' => '1']);
        self::assertSame("a callable\n", $server->get('/')->body);
        $server->stop();
        self::assertSame(0, $project->run([], 'init', '--force')[0]);
        self::assertStringStartsWith('FROM debian', (string) \file_get_contents("$project->folder/Dockerfile"));
    }

    public function testTheExampleForContinuousIntegrationAndTheImageFitTogether(): void
    {
        $project = new Project(['handler.php' => self::HANDLER]);
        self::assertSame(0, $project->run([], 'init')[0]);
        $image = (string) \file_get_contents("$project->folder/Dockerfile");
        $workflow = Yaml::parseFile("$project->folder/.github/workflows/sluice.yml");
        \assert(\is_array($workflow) && \is_array($workflow['jobs']) && \is_array($workflow['jobs']['serve']) && \is_array($workflow['jobs']['serve']['steps']));
        $commands = \implode("\n", \array_filter(\array_column($workflow['jobs']['serve']['steps'], 'run'), \is_string(...)));
        // What the image calls and what is called in it are commands of this package, on the port that the image shows.
        \preg_match_all('~vendor/bin/sluice["\s,]+(\w+)~', $image . $commands, $called);
        self::assertSame(['serve', 'check', 'check'], $called[1]);
        self::assertSame(['8080', '8080'], [\preg_match('/^EXPOSE (\d+)$/m', $image, $port) === 1 ? $port[1] : '', \preg_match('/SLUICE_ADDRESS=0\.0\.0\.0:(\d+)/', $image, $port) === 1 ? $port[1] : '']);
        self::assertStringContainsString('--publish 8080:8080', $commands);
        // As in the image: the variables that it sets, and the same checks.
        \preg_match_all('/\b(SLUICE_\w+)=/', $image, $variables);
        self::assertSame([], \array_diff($variables[1], Config::variables()));
        foreach ([['check'], ['check', '--leaks', '/']] as $arguments) {
            [$status, $printed] = $project->run(['SLUICE_PID_FILE' => "$project->folder/pid"], ...$arguments);
            self::assertSame(0, $status, $printed);
        }
    }

    public function testReleasesBySymbolicLink(): void
    {
        $files = [];
        foreach ([1 => 'one', 2 => 'two', 3 => 'three'] as $release => $text) {
            $files["releases/$release/handler.php"] = '<?php return static fn($request, $response) => $response->text(' . \var_export($text, true) . ');';
            $files["releases/$release/run.php"] = '<?php require ' . \var_export(\dirname(__DIR__) . '/bin/sluice', true) . ';';
        }
        $project = new Project($files);
        $current = "$project->folder/current";
        $releases = "$project->folder/releases";
        \symlink('releases/1', $current);
        // systemd sets no PWD.
        $noPwd = ['PWD' => ''];
        foreach ([$noPwd, ['PWD' => $current]] as $environment) {
            self::assertSame(0, $project->runIn($current, $environment, 'init', '--force')[0]);
            $unit = (string) \file_get_contents("$current/sluice.service");
            self::assertStringContainsString("WorkingDirectory=$current\n", $unit);
            self::assertStringContainsString("ExecStart=/usr/bin/php $current/vendor/bin/sluice serve\n", $unit);
        }
        \file_put_contents("$releases/1/handler.php", $files["releases/1/handler.php"]);
        $command = Project::command('serve');
        $server = TestServer::startCommand([$command[0], $command[1], $command[2], "$current/run.php", 'serve'], environment: $noPwd, folder: $current);
        self::assertSame('one', $server->get('/')->body, $server->log());
        // As `ln -sfn` and `mv -T` do it.
        \symlink('releases/2', "$project->folder/next");
        \rename("$project->folder/next", $current);
        foreach ([$current, "$releases/1", "$releases/2", "$releases/3"] as $folder) {
            self::assertSame(0, $project->runIn($folder, $noPwd, 'status')[0], $folder);
        }
        self::assertSame(0, $project->runIn("$releases/3", $noPwd, 'reload')[0]);
        $server->waitUntil(static fn() => $server->get('/?after')->body === 'two', 'the next release serves');
        $server->waitUntil(static fn() => \is_file("$releases/2/sluice.pid") && !\is_file("$releases/1/sluice.pid"), 'the pid file is that of the next release');
        \exec('rm -r ' . \escapeshellarg("$releases/1"));
        self::assertSame(0, $project->runIn("$releases/3", $noPwd, 'stop')[0]);
        self::assertNotSame(0, $project->runIn($current, $noPwd, 'status')[0]);
    }

    /** Projects beside each other are not releases of one. */
    public function testTheServerOfAnotherProjectIsNotFound(): void
    {
        $project = new Project(["a/handler.php" => '<?php return static fn($request, $response) => $response->text("a");', 'b/sluice.php' => '<?php return 1;']);
        \symlink('a', "$project->folder/link");
        $server = TestServer::startCommand(Project::command('serve'), folder: "$project->folder/a");
        self::assertSame(0, $project->runIn("$project->folder/a", [], 'status')[0]);
        self::assertNotSame(0, $project->runIn("$project->folder/b", [], 'status')[0]);
        $server->stop();
    }

    public function testTheUnitIsThatOfTheGuide(): void
    {
        $guide = (string) \file_get_contents(\dirname(__DIR__, 3) . '/docs/guides/deployment.md');
        self::assertSame(1, \preg_match('/```ini\n# .*\n(\[Unit\].*?)```/s', $guide, $found));
        $own = '/^(Description|ExecStart|User|WorkingDirectory)=.*/m';
        $unit = (string) \file_get_contents(\dirname(__DIR__) . '/templates/sluice.service');
        self::assertSame(\preg_replace($own, '$1=', $found[1] ?? ''), \preg_replace($own, '$1=', $unit));
    }
}
