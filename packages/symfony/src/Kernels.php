<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\{Pool, Server};
use Symfony\Component\HttpKernel\{HttpKernelInterface, KernelInterface};
use Symfony\Contracts\Service\ResetInterface;

/** The kernels of a worker: each works on one request, or one event of a WebSocket, at a time. */
final class Kernels
{
    /** @var Pool<HttpKernelInterface> */
    private readonly Pool $pool;
    private ?Server $server = null;

    /** @param \Closure(): HttpKernelInterface $make */
    public function __construct(\Closure $make, int $max)
    {
        $boot = function () use ($make): HttpKernelInterface {
            $kernel = $make();
            if ($this->server !== null && $kernel instanceof KernelInterface) {
                $kernel->boot();
                $container = $kernel->getContainer();
                $publisher = $container->has(Publisher::class) ? $container->get(Publisher::class) : null;
                if ($publisher instanceof Publisher) {
                    $publisher->publishBy($this->server);
                }
            }
            return $kernel;
        };
        // A kernel does not age: it is kept as long as its worker lives.
        $this->pool = new Pool($boot, max: $max, lifeTime: 1e9);
    }

    /** Names the server that the services of all kernels publish by; before it runs. */
    public function publishBy(Server $server): void
    {
        $this->server = $server;
    }

    /** @param \Closure(HttpKernelInterface): void $do */
    public function use(\Closure $do): void
    {
        $this->pool->use($do);
    }

    /**
     * Gives a service of a kernel that is reset before, as it is before a request.
     *
     * @param \Closure(object): mixed $do
     */
    public function useService(string $id, \Closure $do): void
    {
        $this->pool->use(static function (HttpKernelInterface $kernel) use ($id, $do): void {
            if (!$kernel instanceof KernelInterface) {
                throw new \LogicException('A WebSocket controller needs a kernel with a container, ' . \get_debug_type($kernel) . ' given');
            }
            $kernel->boot();
            $container = $kernel->getContainer();
            try {
                $do($container->get($id));
            } finally {
                if ($container->has('services_resetter')) {
                    $resetter = $container->get('services_resetter');
                    \assert($resetter instanceof ResetInterface);
                    $resetter->reset();
                }
            }
        });
    }
}
