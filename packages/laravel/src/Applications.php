<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\HandleExceptions;
use Sluice\Http\Site;
use Sluice\Laravel\Broadcasting\{Channels, Credentials};
use Sluice\{Coroutine, Pool, Server};

/**
 * Applications of a worker, each of them booted as for php-fpm and lent to one request at a time. While one waits for its database, others go on in theirs.
 */
final class Applications
{
    private static bool $isBooting = false;

    private readonly Statics $statics;
    /** @var Pool<Sandbox> */
    private readonly Pool $pool;
    /** @var Pool<Sandbox> what tasks of requests have, which must not wait for their requests to end */
    private readonly Pool $taskPool;
    private ?Sandbox $first;
    /** @var list<Sandbox> applications that were booted before there were workers, each of which has them by its fork */
    private array $ready = [];
    private ?Server $server = null;

    /**
     * Boots the first application, so that an error of the boot ends the start. To be constructed before `Server::run()`. Afterwards facades, `app()` and other
     * statics have the values from before the boot, for the boot's values belong to requests.
     *
     * @param string|\Closure(): Application $application the folder with `bootstrap/app.php`, or what makes an application anew at each call
     * @param int|null $max how many requests a worker works on at a time, 1 to 100,000; each takes the memory of a booted application; null: what the application says
     *     by `sluice.applications`
     * @param int|null $warm how many of them are booted here rather than by the first requests of each worker, 0 to 100,000 and at most $max; null: what the application
     *     says by `sluice.warm`
     * @throws \ValueError when $max or $warm is out of range
     */
    public function __construct(string|\Closure $application, ?int $max = null, ?int $warm = null)
    {
        $factory = \is_string($application) ? static fn(): Application => self::load("$application/bootstrap/app.php") : $application;
        $this->statics = new Statics();
        $configuration = new LoadedConfiguration();
        $this->first = self::bootFirst(fn() => new Sandbox($factory, $this, $configuration));
        $this->statics->loadFolders($this->first->options->folders);
        $this->statics->isolate($this->first->options->shared);
        $this->first->remember($this->statics);
        foreach ($this->first->notRolledBack() as $class) {
            \error_log("The boot has made an object of the class $class, in which requests find what earlier ones have changed:"
                . ' have each request make it anew, by naming its service in sluice.sandbox.flush');
        }
        $this->statics->resetOutside();
        $boot = function () use ($factory, $configuration): Sandbox {
            $sandbox = new Sandbox($factory, $this, $configuration);
            $sandbox->remember($this->statics);
            return $sandbox;
        };
        $max ??= $this->first->options->applications;
        $warm ??= $this->first->options->warmApplications;
        if ($warm < 0 || $warm > 100_000) {
            throw new \ValueError("The number of applications that are warm must be 0 to 100000, $warm given");
        }
        for ($this->ready = [$this->first]; \count($this->ready) < \min($warm, $max);) {
            $this->ready[] = Coroutine\asRequest($boot);
        }
        $make = function () use ($boot): Sandbox {
            $this->first = null;
            return \array_pop($this->ready) ?? $boot();
        };
        $this->pool = self::newPool($make, $max);
        $this->taskPool = self::newPool($make, $max);
    }

    /** The first application, for what it says about how it is to be served; in the script that makes the server. */
    public function first(): Application
    {
        return $this->first->app ?? throw new \LogicException('The first application has been lent to a request');
    }

    /**
     * Has a site accept clients of Laravel Echo and pusher-js, below `/app/{key}`, for what the broadcaster `sluice` broadcasts.
     *
     * @param list<string>|null $origins whose pages may connect; null: all
     */
    public function broadcast(Server $server, Site $site, ?array $origins = null): void
    {
        $this->server = $server;
        Channels::accept($site, $server, Credentials::of($this->first()->make(Repository::class)), $origins);
    }

    /**
     * The server by which applications broadcast; null: applications do not broadcast.
     *
     * @internal
     */
    public function server(): ?Server
    {
        return $this->server;
    }

    /**
     * Calls `$function` with an application of its own: for jobs of a queue, timers and other work outside of requests.
     *
     * @template T
     * @param callable(Application): T $function
     * @return T what `$function` returns
     */
    public function run(callable $function): mixed
    {
        return Coroutine\asRequest(fn(): mixed => self::lendOf($this->pool, $function));
    }

    /**
     * Calls `$function` with an application of its own, out of a second pool: for work that a request waits for.
     *
     * @internal
     * @template T
     * @param callable(Application): T $function
     * @return T what `$function` returns
     */
    public function runTask(callable $function): mixed
    {
        return Coroutine\asRequest(fn(): mixed => self::lendOf($this->taskPool, $function));
    }

    /**
     * Calls `$function` with an application in a handler, whose request has statics of its own already.
     *
     * @internal
     * @template T
     * @param callable(Application): T $function
     * @return T what `$function` returns
     */
    public function lend(callable $function): mixed
    {
        return self::lendOf($this->pool, $function);
    }

    /** @return list<string> `Some\Class::$property` of all statics that belong to requests */
    public function isolatedStatics(): array
    {
        return $this->statics->names();
    }

    /**
     * @template T
     * @param Pool<Sandbox> $pool
     * @param callable(Application): T $function
     * @return T
     */
    private static function lendOf(Pool $pool, callable $function): mixed
    {
        // Forgotten when the request ends by exit(), too.
        $lease = $pool->borrow();
        try {
            $lease->item->enter();
            return $function($lease->item->app);
        } finally {
            $lease->giveBack();
        }
    }

    /**
     * @param \Closure(): Sandbox $make
     * @return Pool<Sandbox>
     */
    private static function newPool(\Closure $make, int $max): Pool
    {
        return new Pool(
            $make,
            max: $max,
            reset: static fn(Sandbox $sandbox) => $sandbox->rollBack(),
            // An application does not go stale: it is kept for as long as its worker lives.
            idleTime: 1e9,
            lifeTime: 1e9,
            checkAfter: 1e9,
        );
    }

    /**
     * Laravel answers an error with a page, but nobody has asked for one yet: an exception goes to the caller, and a fatal error is PHP's own message.
     *
     * @param \Closure(): Sandbox $boot
     */
    private static function bootFirst(\Closure $boot): Sandbox
    {
        self::$isBooting = true;
        // Before the function that Laravel will register.
        \register_shutdown_function(static function (): void {
            if (self::$isBooting) {
                HandleExceptions::forgetApp();
            }
        });
        $handler = \set_exception_handler(null);
        \restore_exception_handler();
        $displayErrors = \ini_get('display_errors');
        try {
            return $boot();
        } catch (\Throwable $error) {
            HandleExceptions::forgetApp();
            \ini_set('display_errors', $displayErrors);
            \set_exception_handler($handler);
            throw $error;
        } finally {
            self::$isBooting = false;
        }
    }

    private static function load(string $file): Application
    {
        $application = \is_file($file) ? require $file : throw new \RuntimeException("There is no Laravel application: $file is missing");
        return $application instanceof Application ? $application
            : throw new \RuntimeException("$file has to return an application of Laravel's, " . \get_debug_type($application) . ' given');
    }
}
