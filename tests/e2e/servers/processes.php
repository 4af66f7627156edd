<?php

declare(strict_types=1);

// Requests that have a process of their own each.

namespace Sluice\EndToEnd;

use Sluice\Http;
use Sluice\Http\{Request, Response};
use Sluice\{Limits, WebSocket, WorkerStats};

require __DIR__ . '/support.php';

final class Counted
{
    public static int $times = 0;
}

function is_stream_of_unix(string $target): bool
{
    return sscanf($target, 'socket:[%d]', $inode) === 1 && preg_match("/^\\S+ \\S+ \\S+ \\S+ 0001 \\S+ +$inode\\s/m", file_get_contents('/proc/net/unix')) === 1;
}

$server = server(limits: new Limits(killSeconds: (float) (getenv('KILL_SECONDS') ?: 60)));
$most = (int) (getenv('PROCESSES') ?: 4);
$site = $server->http(
    address(),
    new Http\Script(__DIR__ . '/classic/declares.php'),
    new Http\Options(processes: $most),
    new Http\Limits(requestSeconds: (float) (getenv('REQUEST_SECONDS') ?: 5.0), bodyBytes: 64 << 20, bodyFileBytes: 1 << 20),
);
$site->webSocket('/news', new class implements WebSocket\Handler {
    public function open(WebSocket\Connection $who, Request $request): void
    {
        $who->subscribe('news');
        $who->send('subscribed');
    }

    public function message(WebSocket\Connection $who, string $data, bool $binary): void {}

    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
});
$site->any('/handler/{what}', function (Request $request, Response $response) use ($server): void {
    ++Counted::$times;
    switch ($request->parameter('what')) {
        case 'counts':
            $response->json(['times' => Counted::$times, 'pid' => getmypid(), 'peer' => $request->peer()]);
            break;
        case 'stream':
            for ($part = 0; $part < 40; ++$part) {
                $response->write(str_repeat((string) ($part % 10), 100_000));
            }
            $response->end();
            break;
        case 'file':
            $path = $request->query('of') ?? __FILE__;
            $response->sendFile($path);
            report('file', ['of' => $path, 'pid' => getmypid()]);
            break;
        case 'body':
            $response->json(['bytes' => \strlen($request->body()), 'hash' => hash('xxh3', $request->body())]);
            break;
        case 'exit':
            exit(3);
        case 'fatal':
            $class = 'class Counted2 {}';
            eval($class);
            eval($class);
            break;
        case 'killed':
            posix_kill(getmypid(), SIGKILL);
            break;
        case 'throws':
            throw new \LogicException('a mistake');
        case 'held':
            report('held', ['name' => $request->query('name')]);
            while (!file_exists($request->query('until'))) {
                usleep(1000);
                clearstatcache();
            }
            $response->text('let go');
            break;
        case 'waits':
            report('waits', ['pid' => getmypid()]);
            sleep(60);
            break;
        case 'lies':
            // A record of src/server/seam/request_link.h, and behind it the number of another process.
            for ($fd = 3; ($target = @readlink("/proc/self/fd/$fd")) === false || !is_stream_of_unix($target); ++$fd);
            $link = fopen("php://fd/$fd", 'wb');
            stream_set_write_buffer($link, 0);
            fwrite($link, pack('VvvP', 16, 0xffff, 0, (int) $request->query('pid')));
            report('lies', ['pid' => getmypid()]);
            sleep(60);
            break;
        case 'ends':
            $answered_ns = hrtime(true);
            register_shutdown_function(static fn() => report('ends', ['ms' => (hrtime(true) - $answered_ns) / 1e6]));
            $response->text('answered');
            break;
        case 'goes-on':
            $response->text('answered');
            report('goes-on', ['pid' => getmypid()]);
            match ($request->query('how')) {
                'waits' => usleep(1_500_000),
                'computes' => (static function (): void {
                    while (true) {
                    }
                })(),
            };
            report('went-on', ['pid' => getmypid()]);
            break;
        case 'publishes':
            $response->text('answered');
            while (!file_exists($request->query('when'))) {
                usleep(2000);
            }
            $server->publish('news', 'by the handler');
            register_shutdown_function(static fn() => $server->publish('news', str_repeat('at the end ', 20_000)));
            break;
        case 'begins':
            $response->write('begun');
            report('begins', ['pid' => getmypid()]);
            while (true) {
            }
        case 'short':
            report('short', ['pid' => getmypid()]);
            usleep(100_000);
            report('slept', ['pid' => getmypid()]);
            $response->text('slept');
            break;
    }
});
$site->get('/persists', function (): void {
    report('persists', ['pid' => getmypid()]);
    sleep(60);
}, new Http\Options(cancelOnDisconnect: false));
$site->get('/forks', function (Request $request, Response $response): void {
    $child = pcntl_fork();
    while ($child === 0) {
        usleep(10_000);
    }
    $response->text((string) $child);
}, new Http\Options(processes: 1));
$site->get('/worker', fn(Request $request, Response $response) => $response->text((string) getmypid()), new Http\Options(processes: 1));
$server->http(address(1), fn(Request $request, Response $response) => match ($request->path()) {
    '/waiting' => $response->json(array_sum(array_column(WorkerStats::ofServer((int) $request->query('master')), 'waiting'))),
    default => $response->text('by a worker'),
});
$server->run();
