<?php

declare(strict_types=1);

// The plain resource that conformance is tested with: / answers GET and HEAD with OK and POST with its body; /echo tells the
// fields that came, /cookie the cookies; the body of every request is reported, so that none is smuggled unseen.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Http, Limits};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(arenaBytes: 64 << 20, http: new Http\Limits(bodyBytes: 1 << 20, headBytes: 16384, headerFields: 100)));

$server->http(address(), function (Request $request, Response $response): void {
    report('request', ['method' => $request->method(), 'target' => $request->target(), 'bytes' => strlen($request->body())]);
    $method = $request->method();
    if ($method === 'OPTIONS') {
        $response->status(204)->header('Allow', 'GET, HEAD, POST, OPTIONS')->end();
    } elseif (!in_array($method, ['GET', 'HEAD', 'POST'], true)) {
        $response->status(405)->header('Allow', 'GET, HEAD, POST, OPTIONS')->text("not here\n");
    } elseif ($request->path() === '/echo') {
        $lines = '';
        foreach ($request->headers() as $name => $values) {
            foreach ($values as $value) {
                $lines .= "$name: $value\n";
            }
        }
        $response->text($lines);
    } elseif ($request->path() === '/cookie') {
        $lines = '';
        foreach ($request->cookies() as $name => $value) {
            $lines .= "$name=$value\n";
        }
        $response->text($lines);
    } elseif ($method === 'POST') {
        $response->header('content-type', 'application/octet-stream')->end($request->body());
    } else {
        $response->text('OK');
    }
});

$server->run();
