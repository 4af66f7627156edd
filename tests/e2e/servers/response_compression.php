<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Compression, Encoding, EventStream, Options, Request, Response};
use Sluice\Limits;

use function Sluice\EndToEnd\{address, server};

// Room for one encoder of gzip and nothing else, on the second address.
$server = server(limits: new Limits(encodingBytes: (int) getenv('ENCODING_BYTES') ?: 64 << 20));

function page(int $bytes): string
{
    return substr(str_repeat("<li class=\"item\">one more line of text</li>\n", intdiv($bytes, 40) + 1), 0, $bytes);
}

/** @var list<Response|EventStream> $kept */
$kept = [];

$handler = function (Request $request, Response $response) use (&$kept): void {
    foreach (['type' => 'content-type', 'cache' => 'cache-control', 'coded' => 'content-encoding', 'digest' => 'repr-digest',
        'vary' => 'vary', 'length' => 'content-length', 'tag' => 'etag', 'range' => 'content-range'] as $parameter => $name) {
        if ($request->query($parameter) !== null) {
            $response->header($name, $request->query($parameter));
        }
    }
    if ($request->query('etag') !== null) {
        $response->etag($request->query('etag'), (bool) $request->query('weak', ''));
    }
    if ($request->query('status')) {
        $response->status((int) $request->query('status'));
    }
    $page = page((int) $request->query('bytes', '20000'));
    switch ($request->path()) {
        case '/page':
            $response->html($page);
            return;
        case '/raw':
            $response->end($page);
            return;
        case '/empty':
            $response->end();
            return;
        case '/random':
            $response->text(random_bytes(20000));
            return;
        case '/secret':
            $response->withoutCompression()->html($page);
            return;
        case '/asked':
            if (!$response->endByCondition()) {
                $response->html($page);
            }
            return;
        case '/parts':
            $response->header('content-type', 'text/plain');
            foreach (str_split($page, 1500) as $part) {
                $response->write($part);
            }
            $response->end();
            return;
        case '/trailers':
            $response->header('content-type', 'text/plain')->trailer('x-sum', 'abc')->end($page);
            return;
        case '/begin':
            $response->header('content-type', 'text/plain');
            $response->write('begun');
            $kept[] = $response;
            return;
        case '/events':
            $kept[] = $events = $response->events();
            $events->send('begun');
            return;
        case '/go-on':
            foreach ($kept as $one) {
                $one instanceof EventStream ? $one->send('more') : $one->write(' more');
            }
            $response->text('told ' . count($kept));
            return;
        case '/end':
            foreach ($kept as $one) {
                $one->end();
            }
            $kept = [];
            $response->text('ended');
            return;
        case '/let-go':
            $kept = [];
            $response->text('gone');
            return;
        case '/file':
            $response->sendFile(__FILE__, 'text/plain');
            return;
        case '/throw':
            $response->header('content-type', 'text/plain')->etag('never');
            throw new RuntimeException('thrown on purpose');
    }
};

$server->http(address(0), $handler, new Options(compression: new Compression()));
$server->http(address(1), $handler, new Options(compression: new Compression([Encoding::Gzip], 0, ['text/plain'], gzipLevel: 1)));
$server->http(address(2), $handler);
$server->run();
