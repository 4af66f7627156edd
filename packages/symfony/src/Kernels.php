<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Coroutine\CancelledError;
use Sluice\{Coroutine, Pool, Server};
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\HttpKernel\HttpCache\HttpCache;
use Symfony\Component\HttpKernel\{HttpKernelInterface, KernelInterface};
use Symfony\Component\VarDumper\Dumper\CliDumper;
use Symfony\Component\VarDumper\VarDumper;
use Symfony\Contracts\Service\ResetInterface;

/** The kernels of a worker: each works on one request, or one event of a WebSocket, at a time. */
final class Kernels
{
    /** @var Pool<HttpKernelInterface> */
    private readonly Pool $pool;
    /** @var \WeakMap<HttpKernelInterface, callable|null> what `dump()` does with a value in requests of a kernel */
    private \WeakMap $dumpers;
    /** @var \WeakMap<HttpKernelInterface, true> kernels in the midst of a request */
    private \WeakMap $busy;
    private ?Server $server = null;

    /** @var list<HttpKernelInterface> kernels that were booted before there were workers, each of which has them by its fork */
    private array $ready = [];

    /**
     * @param \Closure(): HttpKernelInterface $make
     * @param int $warm how many kernels are booted here rather than by the first requests of each worker
     */
    public function __construct(private readonly \Closure $make, int $max, int $warm = 0)
    {
        $this->dumpers = new \WeakMap();
        $this->busy = new \WeakMap();
        if (\class_exists(VarDumper::class)) {
            // VarDumper has one handler for the process; DebugBundle sets one that dumps into the profile of its kernel's request.
            Coroutine\isolate(VarDumper::class, 'handler');
            // Text is for the client as well, though PHP was started from a command line.
            CliDumper::$defaultOutput = 'php://output';
        }
        // A kernel does not age: it is kept as long as its worker lives, or until it has had nothing to do for a minute.
        $this->pool = new Pool(
            fn(): HttpKernelInterface => \array_pop($this->ready) ?? $this->boot(),
            max: $max,
            reset: $this->reset(...),
            check: self::check(...),
            waitLimit: 86_400,
            lifeTime: 1e9,
        );
        while (\count($this->ready) < \min($warm, $max)) {
            $this->ready[] = Coroutine\asRequest($this->boot(...));
        }
    }

    /** Names the server that the services of all kernels publish by; before it runs. */
    public function publishBy(Server $server): void
    {
        $this->server = $server;
        foreach ($this->ready as $kernel) {
            $container = self::kernelOf($kernel)?->getContainer();
            $container === null || self::letPublish($container, $server);
        }
    }

    /** @param \Closure(HttpKernelInterface): void $do */
    public function use(\Closure $do): void
    {
        $lease = $this->pool->borrow();
        $kernel = $lease->item;
        if (\class_exists(VarDumper::class, false)) {
            VarDumper::setHandler($this->dumpers[$kernel] ?? null);
        }
        // From exit() in a controller nothing comes back here: the lease gives back a kernel that is still busy.
        $this->busy[$kernel] = true;
        try {
            $do($kernel);
        } catch (CancelledError $error) {
            $lease->discard();
            throw $error;
        } catch (\Throwable $error) {
            unset($this->busy[$kernel]);
            self::closeConnections($kernel);
            $lease->giveBack();
            throw $error;
        }
        unset($this->busy[$kernel]);
        $lease->giveBack();
    }

    /**
     * Gives a service of a kernel, for one event of a WebSocket.
     *
     * @param \Closure(object): mixed $do
     */
    public function useService(string $id, \Closure $do): void
    {
        $this->use(static function (HttpKernelInterface $kernel) use ($id, $do): void {
            $container = self::kernelOf($kernel)?->getContainer()
                ?? throw new \LogicException('A WebSocket controller needs a kernel with a container, ' . \get_debug_type($kernel) . ' given');
            try {
                $do($container->get($id));
            } finally {
                // Kernel::boot() resets the services after requests only.
                if ($container->has('services_resetter')) {
                    $resetter = $container->get('services_resetter');
                    \assert($resetter instanceof ResetInterface);
                    $resetter->reset();
                }
            }
        });
    }

    /** The kernel with the container, also of one in a cache (HttpCache). */
    public static function kernelOf(HttpKernelInterface $kernel): ?KernelInterface
    {
        while ($kernel instanceof HttpCache) {
            $kernel = $kernel->getKernel();
        }
        return $kernel instanceof KernelInterface ? $kernel : null;
    }

    /** Closes the connections to databases of a kernel whose request has failed. */
    public static function closeConnections(HttpKernelInterface $kernel): void
    {
        $container = self::kernelOf($kernel)?->getContainer();
        $container === null || DatabaseConnections::close($container);
    }

    /** Of a kernel that has been idle, the connections that the database has closed meanwhile are given up. */
    private static function check(HttpKernelInterface $kernel): bool
    {
        $container = self::kernelOf($kernel)?->getContainer();
        $container === null || DatabaseConnections::giveUpLost($container);
        return true;
    }

    /**
     * A kernel of its own for a command, outside of the pool.
     *
     * @throws \LogicException when what the application gives has no container
     */
    public function make(): KernelInterface
    {
        $kernel = ($this->make)();
        $inner = self::kernelOf($kernel) ?? throw new \LogicException('A command needs a kernel with a container, ' . \get_debug_type($kernel) . ' given');
        $this->bootKernel($inner, RuntimeMode::Console);
        return $inner;
    }

    private function bootKernel(KernelInterface $kernel, RuntimeMode $mode): void
    {
        $mode->boot($kernel);
        if ($this->server !== null) {
            self::letPublish($kernel->getContainer(), $this->server);
        }
    }

    private static function letPublish(ContainerInterface $container, Server $server): void
    {
        $publisher = $container->has(Publisher::class) ? $container->get(Publisher::class) : null;
        if ($publisher instanceof Publisher) {
            $publisher->publishBy($server);
        }
    }

    private function boot(): HttpKernelInterface
    {
        $kernel = ($this->make)();
        $inner = self::kernelOf($kernel);
        if ($inner !== null) {
            $this->bootKernel($inner, RuntimeMode::Web);
            // The services that each request needs.
            foreach (['http_kernel', 'router'] as $service) {
                $inner->getContainer()->get($service, ContainerInterface::NULL_ON_INVALID_REFERENCE);
            }
        }
        if (\class_exists(VarDumper::class, false)) {
            $this->dumpers[$kernel] = VarDumper::setHandler(null);
        }
        return $kernel;
    }

    /** After a request, so that an idle kernel holds no locks of a database and no entities: a transaction that was left open is rolled back, and services are reset. */
    private function reset(HttpKernelInterface $kernel): void
    {
        if (isset($this->busy[$kernel])) {
            throw new \RuntimeException('The kernel has not come to the end of its request: the pool drops it');
        }
        $inner = self::kernelOf($kernel);
        if ($inner !== null) {
            DatabaseConnections::rollBack($inner->getContainer());
            // A kernel that has answered a request resets its services when it is booted again.
            $inner->boot();
        }
    }
}
