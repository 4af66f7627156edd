<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Auth\AuthManager;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Database\Connectors\ConnectionFactory;
use Illuminate\Database\DatabaseManager;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\RegisterProviders;
use Illuminate\Foundation\Http\HtmlDumper;
use Illuminate\Http\Request;
use Illuminate\Routing\{Route, Router};
use Illuminate\Support\Pluralizer;
use Sluice\Coroutine\CancelledError;
use Sluice\Laravel\Database\PooledConnectionFactory;
use Symfony\Component\VarDumper\VarDumper;

/**
 * An application that is booted, and serves one request at a time. After each request the container and the services that the boot has resolved get
 * back the properties that they had after the boot. Services that a request has resolved are forgotten.
 *
 * @internal
 */
final class Sandbox
{
    /** How far from the container objects are that are rolled back: managers, their drivers, and what those have. */
    private const DEPTH = 3;
    /** They are the worker's, or there are many and what changes in them is reset by itself. */
    private const NOT_ROLLED_BACK = [Applications::class, Route::class, \Reflector::class, \UnitEnum::class, \Throwable::class];

    /** @var array<string, bool> by class */
    private static array $isRolledBack = [];

    public readonly Application $app;
    public readonly Options $options;
    private readonly ObjectState $container;
    /** @var list<ObjectState> */
    private array $services = [];
    /** @var array<string, true> by class: objects of the boot that cannot be given back */
    private array $notRolledBack = [];
    private ?Statics $isolated = null;
    /** @var array<int, mixed> */
    private array $statics = [];
    private bool $wasCancelled = false;

    /**
     * Boots an application.
     *
     * @param \Closure(): Application $factory
     * @param LoadedConfiguration $configuration of the application that was booted first
     */
    public function __construct(\Closure $factory, Applications $applications, LoadedConfiguration $configuration)
    {
        $this->app = $app = $factory();
        $configuration->shareWith($app);
        $app->instance(Applications::class, $applications);
        // The application answers requests, though PHP was started from a command line.
        (fn() => $this->isRunningInConsole = false)->call($app);
        $app->beforeBootstrapping(RegisterProviders::class, static function (Application $app): void {
            // Services that are resolved while booting may ask for a request; real requests follow.
            $url = $app->make(Config::class)->get('app.url');
            $app->instance('request', Request::create(\is_string($url) ? $url : 'http://localhost', server: ['argv' => [], 'argc' => 0]));
        });
        $app->extend('db.factory', static fn(ConnectionFactory $factory, Application $app) => $factory::class === ConnectionFactory::class ? new PooledConnectionFactory($app) : $factory);
        $app->make(Kernel::class)->bootstrap();
        if (!isset($_SERVER['VAR_DUMPER_FORMAT']) && \class_exists(VarDumper::class)) {
            // What dump() prints goes to a browser, though PHP was started from a command line.
            $views = $app->make(Config::class)->get('view.compiled');
            HtmlDumper::register($app->basePath(), \is_string($views) ? $views : '');
        }
        $this->options = Options::of($app);
        $this->prepare();
        $this->container = new ObjectState($app);
    }

    /** Where it has been booted: what it and static properties have now is what each request begins with. */
    public function remember(Statics $isolated): void
    {
        $this->isolated = $isolated;
        $this->statics = $isolated->remember();
        $this->rememberServices();
    }

    /** @return list<string> classes of objects that the boot has made, and in which a request finds what earlier ones have changed */
    public function notRolledBack(): array
    {
        return \array_keys($this->notRolledBack);
    }

    /** Before each request. */
    public function enter(): void
    {
        $this->isolated?->restore($this->statics);
    }

    /**
     * To be called after each request, outside of the request's statics, for the request may have ended by exit().
     *
     * @throws \Throwable when it cannot be used again
     */
    public function rollBack(): void
    {
        $app = $this->app;
        if ($app->resolved('db.factory') && ($factory = $app->make('db.factory')) instanceof PooledConnectionFactory) {
            $factory->release($this->wasCancelled);
        }
        if ($app->resolved('router')) {
            self::forgetRequestOf($app->make(Router::class)->current());
        }
        $this->wasCancelled = false;
        $this->keepServices();
        $this->container->restore();
        foreach ($this->services as $service) {
            $service->restore();
        }
    }

    private function prepare(): void
    {
        $app = $this->app;
        foreach ($this->options->warm as $service) {
            if ($app->bound($service)) {
                $app->make($service);
            } elseif (\is_subclass_of($service, Model::class)) {
                new $service();
            }
        }
        // The inflector's rules are dear to make, and names of tables need them.
        Pluralizer::plural('word');
        $this->letCancellationsThrough();
        $app->make(Dispatcher::class)->dispatch(new Events\WorkerStarting($app));
        // Remembers the state in which each request begins.
        $app->forgetScopedInstances();
        foreach ($this->options->flush as $service) {
            $app->forgetInstance($service);
        }
        if ($app->resolved('auth')) {
            $app->make(AuthManager::class)->forgetGuards();
        }
        if ($app->resolved('db')) {
            $this->forgetPdos($app->make(DatabaseManager::class));
        }
    }

    /** What the boot has asked, it has asked in another process. The connections stay, for services that the boot has resolved may have them: sessions in a database. */
    private function forgetPdos(DatabaseManager $databases): void
    {
        foreach (\array_keys($databases->getConnections()) as $name) {
            try {
                $databases->reconnect((string) $name);
            } catch (\InvalidArgumentException) {
                // One that is not in the configuration cannot be made again by its name.
                $databases->purge((string) $name);
            }
        }
        if (($factory = $this->app->make('db.factory')) instanceof PooledConnectionFactory) {
            $factory->release(true);
        }
    }

    /** A handler that is cancelled, as its client has gone, has nothing to report. */
    private function letCancellationsThrough(): void
    {
        $handler = $this->app->make(ExceptionHandler::class);
        if (\method_exists($handler, 'reportable')) {
            $handler->reportable(function (\Throwable $error) {
                for ($cause = $error; $cause !== null; $cause = $cause->getPrevious()) {
                    if ($cause instanceof CancelledError) {
                        $this->wasCancelled = true;
                        return false;
                    }
                }
            });
        }
    }

    private function rememberServices(): void
    {
        /** @var \SplObjectStorage<object, true> $found */
        $found = new \SplObjectStorage();
        // Objects by how many others lie between each and the container: an object is found on its shortest way.
        $levels = \array_fill(0, self::DEPTH + 1, []);
        self::collect([$this->container->value('instances'), $this->statics], $levels[0]);
        self::collect([$this->container->value('serviceProviders'), $this->container->value('bindings'), $this->closuresOfRoutes()], $levels[self::DEPTH - 1]);
        for ($depth = 0; $depth <= self::DEPTH; ++$depth) {
            foreach ($levels[$depth] as $object) {
                if ($object === $this->app || $found->contains($object) || !self::isRolledBack($object)) {
                    continue;
                }
                $found->attach($object, true);
                $contents = Contents::of($object);
                if ($contents === null && (new \ReflectionClass($object))->isInternal()) {
                    Contents::areUnknown($object) && $this->notRolledBack[$object::class] = true;
                    continue;
                }
                $state = new ObjectState($object, $contents);
                if (!$object instanceof \Closure || $contents?->canChange() === true) {
                    $this->services[] = $state;
                }
                if ($depth < self::DEPTH) {
                    self::collect($state->values(), $levels[$depth + 1]);
                }
            }
        }
    }

    /** @return list<\Closure> */
    private function closuresOfRoutes(): array
    {
        $closures = [];
        foreach ($this->app->resolved('router') ? $this->app->make(Router::class)->getRoutes()->getRoutes() : [] as $route) {
            $action = $route->action['uses'] ?? null;
            if ($action instanceof \Closure) {
                $closures[] = $action;
            }
        }
        return $closures;
    }

    /**
     * The objects in an array, and in arrays in it.
     *
     * @param array<mixed> $values
     * @param list<object> $objects
     */
    private static function collect(array $values, array &$objects): void
    {
        foreach ($values as $value) {
            if (\is_object($value)) {
                $objects[] = $value;
            } elseif (\is_array($value) && $value !== []) {
                self::collect($value, $objects);
            }
        }
    }

    private static function isRolledBack(object $object): bool
    {
        return self::$isRolledBack[$object::class] ??= self::isOfKind($object);
    }

    private static function isOfKind(object $object): bool
    {
        foreach (self::NOT_ROLLED_BACK as $class) {
            if ($object instanceof $class) {
                return false;
            }
        }
        // Pools and tables are the worker's.
        return !\str_starts_with($object::class, 'Sluice\\') || \str_starts_with($object::class, __NAMESPACE__);
    }

    /** What holds connections to others, and nothing of a request. */
    private function keepServices(): void
    {
        foreach (['instances', 'resolved'] as $name) {
            $current = $this->container->current($name);
            $saved = $this->container->value($name);
            \assert(\is_array($current) && \is_array($saved));
            foreach ($this->options->kept as $service) {
                if (isset($current[$service]) && !isset($saved[$service])) {
                    $saved[$service] = $current[$service];
                    $this->container->replace($name, $saved);
                }
            }
        }
    }

    private static function forgetRequestOf(?Route $route): void
    {
        if ($route !== null) {
            if (\is_object($route->controller) && \method_exists($route->controller, 'getMiddleware')) {
                // The middleware is what its constructor says.
                $route->flushController();
            }
            $route->controller = null;
            $route->parameters = null;  // as before it has been matched
        }
    }
}
