<?php

declare(strict_types=1);

namespace Sluice\Psr;

use Psr\EventDispatcher\EventDispatcherInterface;
use Sluice\Http\{Request, Response};
use Sluice\Psr\Event\{ErrorLogged, RequestHandled, RequestReceived, WorkerStarted, WorkerStopped};
use Sluice\{Server, Worker};

/** Events of a server as PSR-14 events: workers, requests and errors. */
final class Events
{
    /**
     * Dispatches WorkerStarted, WorkerStopped, RequestReceived, RequestHandled and ErrorLogged to $dispatcher. To be called before
     * `Server::run()`.
     *
     * @throws \Sluice\ServerException after `Server::run()`
     */
    public static function of(Server $server, EventDispatcherInterface $dispatcher): void
    {
        $server->onWorkerStart(static function (Worker $worker) use ($dispatcher): void {
            $dispatcher->dispatch(new WorkerStarted($worker));
        });
        $server->onWorkerStop(static function (Worker $worker) use ($dispatcher): void {
            $dispatcher->dispatch(new WorkerStopped($worker));
        });
        $server->onRequest(static function (Request $request) use ($dispatcher): void {
            $dispatcher->dispatch(new RequestReceived($request));
        });
        $server->onResponse(static function (Request $request, Response $response, float $seconds) use ($dispatcher): void {
            $dispatcher->dispatch(new RequestHandled($request, $response, $seconds));
        });
        $server->onError(static function (\Throwable $error, ?Request $request) use ($dispatcher): void {
            $dispatcher->dispatch(new ErrorLogged($error, $request));
        });
    }
}
