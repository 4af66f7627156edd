<?php

declare(strict_types=1);

namespace Sluice\App;

use Psr\Http\Server\RequestHandlerInterface;
use Sluice\FrankenPhp\WorkerScript;
use Sluice\Http\{DocumentRoot, Files, Handler, Request, Response, Script};
use Sluice\Laravel\ApplicationServer;
use Sluice\Psr\Psr15Handler;
use Sluice\Symfony\SymfonyHandler;
use Symfony\Component\Dotenv\Dotenv;
use Symfony\Component\HttpKernel\KernelInterface;

/** Finds the application in a project's folder, and makes a handler of it. */
final class Finder
{
    private ?string $public;
    /** Whether the application is a script that was written for php-fpm. */
    private bool $isScript = false;
    /** A worker script of FrankenPHP. */
    private ?WorkerScript $script = null;

    /** @param bool $isDev whether a Symfony application that names no environment is in `dev`, or in `prod` */
    public function __construct(private readonly string $folder, private readonly Config $config, private readonly bool $isDev = false)
    {
        $this->public = $config->publicPath($folder);
    }

    /**
     * The application.
     *
     * @throws \RuntimeException when none is found, or a package is missing; the message says what to do
     */
    public function find(): Found
    {
        if (!$this->hasOwnHandler() && \is_file("$this->folder/artisan")) {
            return $this->laravel();
        }
        $handler = $this->handler();
        if ($this->script !== null) {
            return new Found($handler, $this->config, true, $this->script->addTo(...), concurrency: 1);
        }
        return $handler instanceof SymfonyHandler ? new Found($handler, $this->config, true, $handler->serve(...)) : new Found($handler, $this->config, $this->isScript);
    }

    /** A folder as nginx and php-fpm serve it, with `index.php` in it as front controller. */
    public static function folder(string $folder, Config $config): Found
    {
        return new Found(new DocumentRoot($folder, \is_file("$folder/index.php") ? 'index.php' : null, linksTo: $config->linksTo($folder)), $config);
    }

    private function hasOwnHandler(): bool
    {
        return $this->config->application !== null || \is_file("$this->folder/handler.php");
    }

    private function handler(): Handler|\Closure
    {
        if ($this->config->application !== null) {
            return $this->handlerOf(($this->config->application)(), 'sluice.php');
        }
        if (\is_file("$this->folder/handler.php")) {
            $file = "$this->folder/handler.php";
            return $this->handlerOf((static fn(): mixed => require $file)(), 'handler.php');
        }
        if (\is_file("$this->folder/src/Kernel.php") && \interface_exists(KernelInterface::class) && \class_exists('App\Kernel')) {
            $environment = $this->symfonyEnvironment();
            $kernel = new ('App\Kernel')($environment, (bool) self::environment('APP_DEBUG', $environment === 'prod' ? '0' : '1'));
            return $this->handlerOf($kernel, 'src/Kernel.php');
        }
        // Symfony's front controller is no script of this kind.
        if ($this->public !== null && \is_file("$this->public/index.php") && !\is_file("$this->folder/src/Kernel.php")) {
            return $this->config->http?->processes !== null
                ? new DocumentRoot($this->public, 'index.php', linksTo: $this->config->linksTo($this->folder))
                : $this->handlerOf(new Script("$this->public/index.php"), 'index.php');
        }
        throw new \RuntimeException("No application was found in $this->folder: no App\\Kernel in src/Kernel.php, no artisan of Laravel, no handler.php that returns a handler, no application"
            . ' in sluice.php, and no public/index.php. Name a script that makes and runs a server, or run `vendor/bin/sluice init`.');
    }

    /** As Symfony's runtime does it: variables of the environment, and those of `.env` and its kin. */
    private function symfonyEnvironment(): string
    {
        $default = $this->isDev ? 'dev' : 'prod';
        if (\is_file("$this->folder/.env") && \class_exists(Dotenv::class)) {
            (new Dotenv())->bootEnv("$this->folder/.env", $default);
        }
        return self::environment('APP_ENV', $default);
    }

    private function laravel(): Found
    {
        if (!\class_exists(ApplicationServer::class)) {
            throw new \RuntimeException("The Laravel application in $this->folder needs a package: composer require sluice/laravel");
        }
        $application = ApplicationServer::of($this->folder, \array_filter([
            'applications' => $this->config->kernels === Config::KERNELS ? null : $this->config->kernels,
            'warm' => $this->config->warm,
        ], \is_int(...)));
        return new Found($application->handler(), $application->configured($this->config), true, $application->addTo(...));
    }

    private function handlerOf(mixed $application, string $where): Handler|\Closure
    {
        if ($application instanceof KernelInterface) {
            return \class_exists(SymfonyHandler::class)
                ? new SymfonyHandler($application, $this->config->kernels, $this->public, $this->config->warm ?? Config::WARM)
                : throw new \RuntimeException("The Symfony application in $where needs a package: composer require sluice/symfony");
        }
        if ($application instanceof RequestHandlerInterface) {
            return \class_exists(Psr15Handler::class)
                ? $this->withFiles(new Psr15Handler($application))
                : throw new \RuntimeException("The PSR-15 application in $where needs a package: composer require sluice/psr");
        }
        if ($application instanceof Handler) {
            $this->isScript = $application instanceof Script;
            $this->script = $application instanceof WorkerScript ? $application : null;
            return $this->withFiles($application);
        }
        if (\is_callable($application)) {
            return $this->withFiles(new class($application(...)) implements Handler {
                public function __construct(private readonly \Closure $handler) {}

                public function handle(Request $request, Response $response): void
                {
                    ($this->handler)($request, $response);
                }
            });
        }
        throw new \RuntimeException("An application must be a Symfony kernel, a PSR-15 handler, a Sluice\\Http\\Handler or a callable, " . \get_debug_type($application)
            . " given in $where");
    }

    private function withFiles(Handler $handler): Handler|\Closure
    {
        if ($this->public === null) {
            return $handler;
        }
        $files = new Files($this->public, linksTo: $this->config->linksTo($this->folder));
        return static function (Request $request, Response $response) use ($files, $handler): void {
            $isPhp = \preg_match('/\.ph(p\d?|tml|ar|ps)(\/|$)/i', \rawurldecode($request->path())) === 1;
            if ($isPhp || !$files->send($request, $response)) {
                $handler->handle($request, $response);
            }
        };
    }

    private static function environment(string $name, string $default): string
    {
        $value = $_SERVER[$name] ?? \getenv($name);
        return \is_string($value) && $value !== '' ? $value : $default;
    }
}
