<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\Timer;

use function Sluice\EndToEnd\{address, report, server};

$server = server();
$busy = false;
$timers = [];
$seconds = fn (int $since): float => (hrtime(true) - $since) / 1e9;

$server->onWorkerStart(function () use ($seconds): void {
    $start = hrtime(true);
    Timer::after(0.01, fn () => report('from-start', ['seconds' => $seconds($start)]));
});

$server->http(address(), function (Request $request, Response $response) use (&$busy, &$timers, $seconds): void {
    $busy = true;
    $start = hrtime(true);
    switch ($request->path()) {
        case '/after':
            $timer = Timer::after((float) $request->query('seconds'), function () use ($response, $start, $seconds): void {
                $response->json(['seconds' => $seconds($start)]);
            });
            break;
        case '/order':
            $order = [];
            foreach ([0.03, 0.01, 0.02, 0.0] as $delay) {
                Timer::after($delay, function () use (&$order, $delay): void {
                    $order[] = $delay;
                });
            }
            Timer::after(0.05, function () use (&$order, $response): void {
                $response->json($order);
            });
            break;
        case '/every':
            $count = 0;
            $timer = Timer::every(0.005, function () use (&$timer, &$count, $response): void {
                if (++$count === 5) {
                    $response->json([
                        'count' => $count, 'active' => $timer->isActive(),
                        'cancelled' => $timer->cancel(), 'again' => $timer->cancel(),
                    ]);
                }
            });
            break;
        case '/cancel':
            $fired = false;
            $timer = Timer::after(0.01, function () use (&$fired): void {
                $fired = true;
            });
            $result = [
                'active' => $timer->isActive(), 'cancelled' => $timer->cancel(),
                'after' => $timer->isActive(), 'again' => $timer->cancel(),
            ];
            Timer::after(0.05, function () use (&$fired, $result, $response): void {
                $response->json($result + ['fired' => $fired]);
            });
            break;
        case '/fired':
            $timer = Timer::after(0.001, fn () => null);
            Timer::after(0.02, fn () => $response->json(['active' => $timer->isActive(), 'cancelled' => $timer->cancel()]));
            break;
        case '/unheld':
            // A timer lives although nothing keeps its object.
            Timer::after(0.001, fn () => $response->text('fired'));
            break;
        case '/busy':
            // A timer that is due while the handler runs, be it after(0), must not fire inside the handler.
            foreach ([0.0, 0.001] as $delay) {
                Timer::after($delay, function () use (&$busy, $delay): void {
                    report('fired-while', ['busy' => $busy, 'delay' => $delay]);
                });
            }
            $until = hrtime(true) + 20_000_000;
            while (hrtime(true) < $until);
            $response->text('done');
            break;
        case '/nested':
            Timer::after(0.001, function () use ($response): void {
                Timer::after(0.001, function () use ($response): void {
                    $response->text('nested');
                });
            });
            break;
        case '/throw':
            Timer::after(0.001, fn () => throw new RuntimeException('from a timer'));
            Timer::after(0.005, fn () => $response->text('the next one fires'));
            break;
        case '/many':
            $left = 5000;
            for ($i = 0; $i < 5000; $i++) {
                Timer::after(($i * 7919 % 50) / 1000, function () use (&$left, $response): void {
                    if (--$left === 0) {
                        $response->text('all 5000 fired');
                    }
                });
            }
            break;
        case '/refused':
            $answers = [];
            $calls = [
                fn () => Timer::after(-0.001, 'strlen'),
                fn () => Timer::after(1.1e9, 'strlen'),
                fn () => Timer::after(NAN, 'strlen'),
                fn () => Timer::every(0.0, 'strlen'),
                fn () => Timer::every(INF, 'strlen'),
            ];
            foreach ($calls as $call) {
                try {
                    $call();
                    $answers[] = null;
                } catch (ValueError $error) {
                    $answers[] = $error->getMessage();
                }
            }
            $response->json($answers);
            break;
    }
    $busy = false;
});

$server->run();
