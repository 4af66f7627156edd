<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine\Channel;
use Sluice\Http\{Request, Response};

use function Sluice\Coroutine\spawn;
use function Sluice\EndToEnd\{address, report, server};

$server = server();
$go = new Channel(1);

function url(string $path): string
{
    return 'http://' . address() . $path;
}

function thrown(string $by): never
{
    report('thrown');
    throw new RuntimeException("thrown by $by");
}

/** What a callback of a C function throws comes out of that function when it has ended, as without Sluice. */
function caught(callable $call): string
{
    try {
        $call();
        return 'nothing';
    } catch (Exception $error) {
        return $error->getMessage();
    }
}

function with_curl(int $option): string
{
    $curl = curl_init(url('/slow'));
    curl_setopt_array($curl, [CURLOPT_NOPROGRESS => false, CURLOPT_RETURNTRANSFER => true, $option => fn () => thrown('curl')]);
    return caught(fn () => curl_exec($curl));
}

$server->http(address(), function (Request $request, Response $response) use ($go): void {
    $response->text(match ($request->path()) {
        '/slow' => $go->pop(),
        '/go' => $go->push('slow') ?? 'gone',
        '/curl' => with_curl(CURLOPT_XFERINFOFUNCTION),
        '/notification' => caught(fn () => file_get_contents(url('/slow'), false, stream_context_create([], ['notification' => fn () => thrown('notification')]))),
        '/subscribe' => caught(function (): void {
            $redis = new Redis();
            $redis->connect('127.0.0.1', (int) getenv('REDIS_PORT'));
            $redis->setOption(Redis::OPT_READ_TIMEOUT, -1);
            report('subscribes');
            $redis->psubscribe(['to*'], fn () => thrown('psubscribe'));
        }),
        '/publish' => (function (): string {
            $redis = new Redis();
            $redis->connect('127.0.0.1', (int) getenv('REDIS_PORT'));
            return (string) $redis->publish('to', 'all');
        })(),
        '/consumer' => (function (): string {
            $channel = new Channel(1);
            spawn(fn () => $channel->pop());
            return 'it waits';
        })(),
        default => 'alive',
    });
});
$server->run();
