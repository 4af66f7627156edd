<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{EventStream, Request, Response, SameSite};
use Sluice\{Http, Limits};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(http: new Http\Limits(bodyBytes: 1 << 20, bodySeconds: 1.0)));
/** @var list<EventStream> $streams */
$streams = [];

function refusal(callable $what): string
{
    try {
        $what();
        return 'fine';
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
}

const CHANGED = 784111777;

$server->http(address(), function (Request $request, Response $response) use (&$streams): void {
    switch ($request->path()) {
        case '/cookies':
            $response->cookie('a', '1')
                ->cookie('b', '2', new DateTimeImmutable('@784111777'), 3600, '/x', 'example.com', true, false, SameSite::None, true)
                ->cookie('c', sameSite: null, httpOnly: false, path: '')
                ->cookie('d', expires: 0, maxAge: 0, sameSite: SameSite::Strict)
                ->cookie('e', path: '/', httpOnly: true)
                ->cookie('f', "100% \"ü\"; x=1\r\nx-b: c")
                ->text('cookies');
            return;
        case '/capture':
            $name = $request->query('name', '');
            match ($request->query('how', '')) {
                'status' => $response->status(404)->header('content-type', 'text/plain'),
                default => null,
            };
            $response->capture(function () use ($name, $request): void {
                echo "<p>$name";
                // Other requests echo meanwhile.
                usleep(20_000);
                ob_start();
                echo strtoupper($name);
                $request->query('how') === 'open' ? print('!') : ob_end_flush();
                if ($request->query('how') === 'throw') {
                    throw new LogicException('not this page');
                }
                if ($request->query('how') === 'close') {
                    ob_end_clean();
                    ob_end_clean();
                }
                usleep(20_000);
                echo '</p>';
            });
            return;
        case '/capture-errors':
            $messages = [];
            foreach ([fn () => throw new LogicException('thrown'), fn () => ob_end_clean(), 'nothing'] as $function) {
                $messages[] = refusal(fn () => $response->capture($function));
            }
            $level = ob_get_level();
            $response->json([...$messages, $level]);
            return;
        case '/refused':
            $response->json(array_map(refusal(...), [
                fn () => $response->cookie('a b'),
                fn () => $response->cookie('a', str_repeat(' ', 1366)),
                fn () => $response->cookie('a', path: 'x'),
                fn () => $response->cookie('a', domain: 'a;b'),
                fn () => $response->cookie('a', sameSite: SameSite::None),
                fn () => $response->cookie('a', expires: -1),
                fn () => $response->etag('a"b'),
                fn () => $response->lastModified(-1),
                fn () => $response->earlyHints(),
                fn () => $response->earlyHints("a\r\nb: c"),
                fn () => $response->earlyHints(''),
                fn () => $response->trailer('Content-Length', '1'),
                fn () => $response->trailer('a', "b\n"),
            ]));
            return;
        case '/hints':
            $response->header('x-final', '1');
            $response->earlyHints('</a.css>; rel=preload; as=style', '</b.js>; rel=preload; as=script');
            $response->earlyHints('</c.css>; rel=preload');
            $response->text('hinted');
            return;
        case '/trailers':
            if ($request->query('write')) {
                $response->write($request->query('write'));
            }
            $response->trailer('X-Sum', 'abc')->trailer('x-more', '1');
            $response->end($request->query('end', ''));
            return;
        case '/big-trailers':
            $response->trailer('X-Sum', 'abc')->end(str_repeat('0123456789', 30_000_00));
            return;
        case '/document':
            if ($request->query('etag') !== null) {
                $response->etag($request->query('etag'), (bool) $request->query('weak', ''));
            }
            if ($request->query('date')) {
                $response->lastModified($request->query('date') === 'object' ? new DateTime('@' . CHANGED) : CHANGED);
            }
            if ($request->query('ask') && $response->endByCondition()) {
                report('ended', ['is' => $response->isEnded()]);
                return;
            }
            $response->header('cache-control', 'max-age=5')->header('content-length', '8')->text('document');
            return;
        case '/events':
            $events = $response->events();
            $events->send("two\nlines", 'greeting', '7', 1500);
            $events->comment('still here');
            $events->send('plain');
            report('refused', ['with' => refusal(fn () => $events->send('x', "a\nb"))]);
            if ($request->query('keep')) {
                $streams[] = $events;
            } else {
                $events->end();
                report('ended', ['with' => refusal(fn () => $events->comment())]);
            }
            return;
        case '/tell':
            $response->json(array_map(fn (EventStream $events) => $events->send('told')->name, $streams));
            return;
        case '/let-go':
            $streams = [];
            $response->text('gone');
            return;
        default:
            $response->json(['bytes' => strlen($request->body())]);
    }
});
$server->run();
