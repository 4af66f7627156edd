<?php

declare(strict_types=1);

// Handlers that use amphp's packages, and Sluice's own waits beside them. The path names the handler.

use Amp\{ByteStream, DeferredFuture, Dns, Future, Parallel\Worker as Parallel, Socket, Sync, TimeoutCancellation};
use Revolt\EventLoop;
use Sluice\{Coroutine, Limits, Mode, Server};
use Sluice\Http\{Request, Response};
use Sluice\Revolt\Tests\Square;

use function Amp\{async, delay};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

/** @var array<string, Closure(): mixed> $handlers */
$handlers = [
    '/amp' => function (): array {
        $start = \hrtime(true);
        $answers = Future\await(\array_map(fn(int $i) => async(function () use ($i): int {
            delay(0.1);
            return $i;
        }), \range(1, 20)));
        return [\array_sum($answers), (\hrtime(true) - $start) / 1e9 < 1.5];
    },
    // A database's query, a file or sleep() in what amphp runs suspends the calling fiber alone; so does amphp's delay() beside it.
    '/both' => function (): array {
        $start = \hrtime(true);
        $waits = [];
        for ($i = 0; $i < 10; ++$i) {
            $waits[] = async(fn() => \usleep(200_000));
            $waits[] = async(fn() => delay(0.2));
            $waits[] = async(fn() => Coroutine\sleep(0.2));
        }
        [$seconds] = Coroutine\all(
            function () use ($waits, $start): float {
                Future\await($waits);
                return (\hrtime(true) - $start) / 1e9;
            },
            fn() => delay(0.05),
        );
        return [$seconds < 1.5];
    },
    '/future' => function (): mixed {
        $deferred = new DeferredFuture();
        Coroutine\spawn(function () use ($deferred): void {
            \usleep(1000);
            $deferred->complete('completed by a coroutine');
        });
        return $deferred->getFuture()->await(new TimeoutCancellation(5));
    },
    '/timeout' => function (): string {
        try {
            (new DeferredFuture())->getFuture()->await(new TimeoutCancellation(0.05));
            return 'no timeout';
        } catch (Amp\CancelledException $error) {
            return $error->getPrevious() === null ? '' : $error->getPrevious()::class;
        }
    },
    '/throws' => fn() => async(fn() => throw new DomainException('out of async'))->await(),
    '/sync' => function (): array {
        $mutex = new Sync\LocalMutex();
        [$now, $most] = [0, 0];
        $work = function () use ($mutex, &$now, &$most): void {
            $lock = $mutex->acquire();
            $most = \max($most, ++$now);
            \usleep(1000);
            --$now;
            $lock->release();
        };
        Future\await(\array_map(fn() => async($work), \range(1, 10)));
        return [$now, $most];
    },
    '/byte-stream' => function (): string {
        $pair = \stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0);
        \assert($pair !== false);
        $sink = new ByteStream\WritableResourceStream($pair[0]);
        $source = new ByteStream\ReadableResourceStream($pair[1]);
        async(function () use ($sink): void {
            for ($i = 0; $i < 50; ++$i) {
                $sink->write(\str_repeat('x', 20_000));
            }
            $sink->end();
        });
        return \strlen(ByteStream\buffer($source)) . ' bytes';
    },
    '/socket' => function (): string {
        $server = Socket\listen('127.0.0.1:0');
        $serving = async(function () use ($server): void {
            $client = $server->accept();
            \assert($client !== null);
            $client->write('you said ' . $client->read());
            $client->end();
        });
        $socket = Socket\connect((string) $server->getAddress());
        $socket->write('hello');
        $said = ByteStream\buffer($socket);
        $serving->await();
        $server->close();
        return $said;
    },
    '/dns' => function (): string {
        $record = Dns\resolve('localhost', Dns\DnsRecord::A)[0];
        \assert($record instanceof Dns\DnsRecord);
        return $record->getValue();
    },
    '/parallel' => function (): array {
        $pool = new Parallel\ContextWorkerPool(2);
        $squares = \array_map(fn(int $i) => $pool->submit(new Square($i))->getFuture(), [2, 3, 4]);
        $squares = Future\await($squares);
        $pool->shutdown();
        \ksort($squares);
        return $squares;
    },
    // Nothing runs Amp's own loop, and an unreferenced timer fires all the same.
    '/unreferenced' => function (): string {
        $fired = 0;
        $id = EventLoop::unreference(EventLoop::repeat(0.01, function () use (&$fired): void {
            ++$fired;
        }));
        \usleep(200_000);
        EventLoop::cancel($id);
        return $fired > 2 ? 'fired' : 'not';
    },
    '/uncaught' => function (): string {
        EventLoop::defer(fn() => throw new DomainException('out of a callback'));
        delay(0.05);
        return 'goes on';
    },
    '/cancelled' => function (): void {
        try {
            delay(60);
        } catch (Coroutine\CancelledError $error) {
            \error_log('cancelled in a suspension');
            throw $error;
        }
    },
    '/hello' => fn() => 'hello',
];

// amphp/parallel listens as long as its process lives.
$server = new Server(Mode::from(\getenv('MODE') ?: 'process'), workers: 1, reactors: 1, limits: new Limits(shutdownSeconds: 1.0));
$server->http(\getenv('ADDRESS') ?: '127.0.0.1:8080', function (Request $request, Response $response) use ($handlers): void {
    $response->json($handlers[$request->path()]());
});
$server->run();
