<?php

declare(strict_types=1);

// Handlers that use ReactPHP's libraries on Revolt's loop, and Sluice's own waits beside them.

use React\EventLoop\{Loop, TimerInterface};
use React\Promise\{Deferred, PromiseInterface};
use React\Socket\{ConnectionInterface, Connector, SocketServer};
use Revolt\EventLoop;
use Sluice\Http\{Request, Response};
use Sluice\Revolt\Tests\ReactLoop;
use Sluice\{Coroutine, Mode, Server};

use function React\Promise\{all, resolve};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

Loop::set(new ReactLoop());

/** @param PromiseInterface<mixed> $promise */
function await(PromiseInterface $promise): mixed
{
    $suspension = EventLoop::getSuspension();
    // A promise may be resolved already, and a suspension is resumed once it is suspended.
    $promise->then(
        static fn(mixed $value) => EventLoop::queue($suspension->resume(...), $value),
        static fn(Throwable $error) => EventLoop::queue($suspension->throw(...), $error),
    );
    return $suspension->suspend();
}

/** @return PromiseInterface<string> */
function later(float $seconds, string $value): PromiseInterface
{
    $deferred = new Deferred();
    Loop::addTimer($seconds, static fn() => $deferred->resolve($value));
    return $deferred->promise();
}

/** @var array<string, Closure(): mixed> $handlers */
$handlers = [
    '/timers' => function (): array {
        $start = \hrtime(true);
        [$values] = Coroutine\all(
            static fn(): mixed => await(all(\array_map(static fn(int $number) => later(0.1, "timer $number"), [1, 2, 3]))),
            static fn() => \usleep(100_000),
        );
        return [$values, (\hrtime(true) - $start) / 1e9 < 0.5];
    },
    '/periodic' => function (): mixed {
        $deferred = new Deferred();
        $times = 0;
        Loop::addPeriodicTimer(0.01, static function (TimerInterface $timer) use (&$times, $deferred): void {
            if (++$times === 3) {
                Loop::cancelTimer($timer);
                $deferred->resolve($times);
            }
        });
        return await($deferred->promise());
    },
    '/tick' => function (): mixed {
        $deferred = new Deferred();
        Loop::futureTick(static fn() => $deferred->resolve('next'));
        return await($deferred->promise());
    },
    '/socket' => function (): mixed {
        $server = new SocketServer('127.0.0.1:0');
        $server->on('connection', static fn(ConnectionInterface $client) => $client->on('data', static fn(string $data) => $client->end("you said $data")));
        $deferred = new Deferred();
        (new Connector())->connect((string) $server->getAddress())->then(static function (ConnectionInterface $connection) use ($deferred): void {
            $connection->write('hello');
            $connection->on('data', static fn(string $data) => $deferred->resolve($data));
        }, $deferred->reject(...));
        $answer = await($deferred->promise());
        $server->close();
        return $answer;
    },
    '/resolved' => fn(): mixed => await(resolve('at once')),
    '/rejected' => function (): string {
        try {
            await((new Connector(['timeout' => 5]))->connect('127.0.0.1:1'));
            return 'connected';
        } catch (RuntimeException) {
            return 'refused';
        }
    },
];

$server = new Server(Mode::from(\getenv('MODE') ?: 'process'), workers: 1, reactors: 1);
$server->http((string) \getenv('ADDRESS'), static fn(Request $request, Response $response) => $response->json($handlers[$request->path()]()));
$server->run();
