<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine\{CancelledError, DeadlockException};
use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Http, Limits};

use function Sluice\EndToEnd\{address, report, server};

$held = null;
$server = server(limits: new Limits(http: new Http\Limits(requestSeconds: (float) getenv('REQUEST_SECONDS'))));
$server->http(address(), function (Request $request, Response $response) use (&$held): void {
    switch ($request->path()) {
        case '/nobody':
            try {
                Fiber::suspend();
            } catch (DeadlockException $e) {
                $response->json([$e->getMessage(), $e->getLine() === __LINE__ - 2]);
            }
            return;
        case '/hold':
            $held = Fiber::getCurrent();
            try {
                $response->text((string) Fiber::suspend());
            } catch (CancelledError | DeadlockException $e) {
                report('thrown', ['class' => $e::class, 'at' => $e->getLine() === __LINE__ - 2]);
                throw $e;
            }
            return;
        case '/resume':
            $held->resume('resumed');
            $held = null;
            $response->text('done');
            return;
        case '/drop':
            $held = null;
            $response->text('dropped');
            return;
        case '/live':
            $response->text((string) Coroutine\stats()->live);
    }
});
$server->run();
