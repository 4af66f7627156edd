<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Http\{Files, Handler, Request, Response};
use Sluice\Pool;
use Symfony\Component\HttpKernel\{HttpKernelInterface, KernelInterface, TerminableInterface};

/**
 * A Symfony application as the handler of a site or a route. A kernel has one current request, so there is a pool of them in each
 * worker: while one waits for its database, the worker goes on with another one.
 */
final class SymfonyHandler implements Handler
{
    /** @var Pool<HttpKernelInterface> */
    private readonly Pool $kernels;
    private readonly ?Files $files;

    /**
     * @param KernelInterface|\Closure(): HttpKernelInterface $kernel one that is cloned for each place in the pool, as Symfony has it, or what
     *     makes one
     * @param int $kernels how many requests a worker works on at a time, 1 to 10,000; each takes the memory of a booted container
     * @param string|null $public the folder whose files are sent as they are, but PHP's; null: something else sends them
     * @throws \Sluice\ServerException when that folder cannot be opened
     */
    public function __construct(KernelInterface|\Closure $kernel, int $kernels = 8, ?string $public = null)
    {
        $boot = $kernel instanceof \Closure ? $kernel : static fn(): HttpKernelInterface => clone $kernel;
        // Once before there are workers: what is wrong with the container is seen at the start, and its classes are loaded for all.
        $first = $boot();
        if ($first instanceof KernelInterface) {
            $first->boot();
            $first->shutdown();
        }
        // A kernel does not go stale: it is kept for as long as its worker lives.
        $this->kernels = new Pool($boot, max: $kernels, lifeTime: 1e9);
        $this->files = $public === null ? null : new Files($public);
    }

    public function handle(Request $request, Response $response): void
    {
        if ($this->files !== null && !self::isPhp($request->path()) && $this->files->send($request, $response)) {
            return;
        }
        $incoming = IncomingRequest::of($request);
        $this->kernels->use(static function (HttpKernelInterface $kernel) use ($incoming, $response): void {
            $answer = $kernel->handle($incoming->request);
            OutgoingResponse::send($answer, $response);
            if ($kernel instanceof TerminableInterface) {
                $kernel->terminate($incoming->request, $answer);
            }
        });
    }

    /** Sources are not sent, however their names are written. */
    private static function isPhp(string $path): bool
    {
        return \preg_match('/\.ph(p\d?|tml|ar|ps)(\/|$)/i', \rawurldecode($path)) === 1;
    }
}
