<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine\{ContextValue, LimitException};
use Sluice\Http\{Request, Response};
use Sluice\{Coroutine, Limits, Timer};

use function Sluice\EndToEnd\{address, report, server, stats};

$server = server(limits: new Limits(coroutines: 5, pooledStacks: 2));
$user = new ContextValue('nobody');

$server->onWorkerStart(function () use ($user): void {
    $user->set('of the start');
    Timer::after(0.001, fn () => report('timer-of-start', ['user' => $user->get()]));
});
$server->onWorkerStop(fn () => report('stop-sees', ['user' => $user->get()]));
$server->http(address(), function (Request $request, Response $response) use ($server, $user): void {
    switch ($request->path()) {
        case '/hold':
            report('begun');
            $response->text(file_get_contents("http://127.0.0.1:{$request->query('port')}/"));
            return;
        case '/spawn':
            $tasks = [];
            try {
                while (true) {
                    $tasks[] = Coroutine\spawn(fn () => usleep(60_000_000));
                }
            } catch (LimitException $e) {
                array_map(fn ($task) => $task->cancel(), $tasks);
                $response->json([count($tasks), $e->getMessage()]);
            }
            return;
        case '/stats':
            $response->json(['server' => stats($server), 'worker' => get_object_vars(Coroutine\stats())]);
            return;
        case '/timer':
            $before = $user->get();
            $user->set($request->query('user'));
            $seen = new Coroutine\Channel(10);
            Timer::after(0, fn () => $seen->push($user->get()));
            $timer = null;
            $timer = Timer::every(0.001, function () use ($seen, $user, &$timer) {
                $seen->push($user->get());
                $timer->cancel();
            });
            $user->set('changed since');
            $response->json([$before, $seen->pop(), $seen->pop(), $user->get()]);
            return;
    }
});
$server->run();
