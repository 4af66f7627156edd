<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Http\{Files, Handler, Request, Response, Site};
use Sluice\HttpFoundation\{IncomingRequest, OutgoingResponse, OutputBuffers};
use Sluice\{Coroutine, Server};
use Sluice\Symfony\Console\Commands;
use Sluice\Symfony\WebSocket\{AsWebSocket, Controller};
use Symfony\Component\HttpKernel\{HttpKernelInterface, KernelInterface, TerminableInterface};

/**
 * A Symfony application as the handler of a site or a route. A kernel handles one request at a time, so each worker has a pool of
 * kernels: while one waits for its database, the worker goes on with another one.
 *
 * The options of the site should say `classic: true`: then the time zone and other settings of PHP are each request's own, and `dd()` and `exit()` end the
 * request alone.
 */
final class SymfonyHandler implements Handler
{
    private readonly Kernels $kernels;
    /** @var list<array{string, AsWebSocket}> services, and what they are at */
    private array $webSockets = [];
    /** @var array<mixed> commands as services, by name */
    private array $services = [];
    /** @var array<mixed> commands at certain times */
    private array $cron = [];
    private readonly ?Files $files;
    /** @var array<mixed> variables that Dotenv has loaded: requests of `classic: true` have superglobals of their own */
    private readonly array $environment;

    /**
     * @param KernelInterface|\Closure(): HttpKernelInterface $kernel a kernel, which is cloned for each place in the pool, or a closure
     *     that makes one
     * @param int $kernels how many requests one worker handles at a time, 1 to 10,000; each takes the memory of a booted container
     * @param string|null $public the folder whose files are sent, except PHP files, and those of the bundles that it links to (`assets:install --symlink`); null: none
     * @param int $warm how many kernels are booted here rather than by the first requests of each worker, at most $kernels
     * @throws \Sluice\ServerException when $public cannot be opened
     * @throws \Throwable when the kernel cannot be booted
     */
    public function __construct(KernelInterface|\Closure $kernel, int $kernels = 8, ?string $public = null, int $warm = 8)
    {
        $boot = $kernel instanceof \Closure ? $kernel : static fn(): HttpKernelInterface => clone $kernel;
        // Booted once before the workers start: an error of the container shows at the start, and all workers share its classes.
        $first = Kernels::kernelOf($boot());
        if ($first !== null) {
            // As Symfony's runtime does for a web server: it takes PHP's command line for a terminal.
            $first->isDebug() || \ini_set('display_errors', '0');
            RuntimeMode::Web->boot($first);
            $this->webSockets = self::webSocketsOf($first);
            self::isolate($first);
            $this->services = self::configured($first, 'services');
            $this->cron = self::configured($first, 'cron');
            $linked = self::linked($first);
            $first->shutdown();
        }
        $this->kernels = new Kernels($boot, $kernels, $warm);
        $this->environment = $_ENV + self::loadedByDotenv();
        $this->files = $public === null ? null : new Files($public, linksTo: $linked ?? []);
    }

    /** @return list<string> the folders of the bundles that `assets:install` links to */
    private static function linked(KernelInterface $kernel): array
    {
        $folders = [];
        foreach ($kernel->getBundles() as $bundle) {
            \array_push($folders, "{$bundle->getPath()}/Resources/public", "{$bundle->getPath()}/public");
        }
        return \array_values(\array_filter($folders, \is_dir(...)));
    }

    /**
     * Has a site accept the WebSockets that the application has controllers for, the application's Publisher publish by this server, and commands run as the
     * bundle's configuration says (`sluice.services`, `sluice.cron`). Call it before `Server::run()`.
     *
     * @throws \ValueError when the path of a controller is not a pattern, or another one has it; for a service's name or a time that cannot be
     * @throws \Sluice\ServerException after run()
     */
    public function serve(Server $server, Site $site): void
    {
        $this->kernels->publishBy($server);
        foreach ($this->webSockets as [$service, $at]) {
            Controller::accept($site, $this->kernels, $service, $at);
        }
        $commands = new Commands($this->kernels);
        foreach ($this->services as $name => $service) {
            \assert(\is_array($service) && \is_string($service['command']) && \is_int($service['processes']));
            $commands->serve($server, (string) $name, $service['command'], $service['processes']);
        }
        foreach ($this->cron as $entry) {
            \assert(\is_array($entry) && \is_string($entry['at']) && \is_string($entry['command']));
            $commands->at($entry['at'], $entry['command'], \is_string($entry['time_zone']) ? $entry['time_zone'] : null);
        }
    }

    /** Answers a request by a file of $public or by a kernel. */
    public function handle(Request $request, Response $response): void
    {
        if ($this->files !== null && !self::isPhp($request->path()) && $this->files->send($request, $response)) {
            return;
        }
        $incoming = IncomingRequest::of($request);
        $incoming->request->attributes->set(EarlyHints::ATTRIBUTE, $response);
        $_ENV += $this->environment;
        $this->kernels->use(function (HttpKernelInterface $kernel) use ($incoming, $response): void {
            $level = \ob_get_level();
            \ob_start();
            $answer = $kernel->handle($incoming->request);
            OutgoingResponse::send($answer, $response, OutputBuffers::take($level));
            if ($kernel instanceof TerminableInterface) {
                $kernel->terminate($incoming->request, $answer);
            }
            if ($answer->isServerError()) {
                // HttpKernel makes an error page also of a cancellation, which may have come in the midst of a query.
                Kernels::closeConnections($kernel);
            }
        });
    }

    /** Has each request have its own values of the static properties that the configuration names (`sluice.isolate`). */
    private static function isolate(KernelInterface $kernel): void
    {
        foreach (self::configured($kernel, 'isolate') as $class) {
            [$name, $property] = \explode('::$', \is_string($class) ? $class : '') + [1 => ''];
            if (!\class_exists($name)) {
                throw new \LogicException("sluice.isolate names classes, or Some\Class::\$property; there is no class \"$name\"");
            }
            $property === '' ? Coroutine\isolate($name) : Coroutine\isolate($name, $property);
        }
    }

    /** @return array<mixed> what the bundle's configuration has under a name */
    private static function configured(KernelInterface $kernel, string $name): array
    {
        $container = $kernel->getContainer();
        $value = $container->hasParameter("sluice.$name") ? $container->getParameter("sluice.$name") : [];
        return \is_array($value) ? $value : [];
    }

    /** @return array<mixed> */
    private static function loadedByDotenv(): array
    {
        $names = $_SERVER['SYMFONY_DOTENV_VARS'] ?? '';
        return \array_intersect_key($_SERVER, \array_flip(\explode(',', \is_string($names) ? $names : '')));
    }

    /** @return list<array{string, AsWebSocket}> */
    private static function webSocketsOf(KernelInterface $kernel): array
    {
        $container = $kernel->getContainer();
        $found = [];
        $services = $container->hasParameter('sluice.web_sockets') ? $container->getParameter('sluice.web_sockets') : [];
        foreach (\is_array($services) ? $services : [] as $service) {
            \assert(\is_string($service) && \class_exists($service));
            foreach ((new \ReflectionClass($service))->getAttributes(AsWebSocket::class) as $attribute) {
                $found[] = [$service, $attribute->newInstance()];
            }
        }
        return $found;
    }

    /** Whether the path names a PHP file, whose source must not be sent. */
    private static function isPhp(string $path): bool
    {
        return \preg_match('/\.ph(p\d?|tml|ar|ps)(\/|$)/i', \rawurldecode($path)) === 1;
    }
}
