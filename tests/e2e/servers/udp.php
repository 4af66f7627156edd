<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\{Limits, Server, Timer, Udp};
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, report, server, stats, worker};

$server = server(limits: new Limits(udp: new Udp\Limits(datagrams: (int) (getenv('DATAGRAMS') ?: 4096))));

$server->http(address(), function (Request $request, Response $response) use ($server): void {
    $response->end(json_encode(stats($server)));
});

// The listener may have the port number of the HTTP one, for UDP has ports of its own.
$handler = new class implements Udp\Handler {
    public function datagram(Udp\Peer $from, string $datagram): void
    {
        match ($datagram) {
            'who' => $from->send(json_encode(worker() + ['peer' => $from->address()])),
            'later' => Timer::after(0.01, fn () => $from->send('it is later')),
            'twice' => [$from->send('first'), $from->send('second')],
            'throw' => throw new RuntimeException('asked to'),
            'die' => posix_kill(getmypid(), SIGKILL),
            'hang' => self::hang(),
            'slow' => self::answerSlowly($from),
            'too long' => $from->send(self::failure(fn () => $from->send(str_repeat('x', 65508)))),
            default => self::echo($from, $datagram),
        };
    }

    private static function echo(Udp\Peer $from, string $datagram): void
    {
        $delivery = $from->send($datagram)->name;
        if ($delivery !== 'Sent') {
            report('delivery', ['is' => $delivery]);
        }
    }

    private static function failure(callable $what): string
    {
        try {
            $what();
        } catch (Throwable $e) {
            return $e->getMessage();
        }
        return '';
    }

    /** Holds the worker, until the test says so. */
    private static function hang(): void
    {
        report('hangs');
        while (!file_exists('let-go')) {
            clearstatcache();
        }
    }

    /** Waits in a coroutine, until the server has been told to stop. */
    private static function answerSlowly(Udp\Peer $from): void
    {
        report('slow');
        while (!file_exists('answer')) {
            clearstatcache();
            usleep(1000);
        }
        $from->send('at last');
    }
};

if (!file_exists('no-udp')) {
    $server->udp(address(), $handler);
    if (getenv('IPV6')) {
        $server->udp('[::1]:0', fn (Udp\Peer $from, string $datagram) => $from->send("$datagram from {$from->address()}"));
    }
}

$server->run();
