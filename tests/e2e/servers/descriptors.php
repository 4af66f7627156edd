<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Bodies, Limits, Options, Request, Response};
use Sluice\Shared\Counter;

use function Sluice\EndToEnd\{address, report, server};

$counters = [];
for ($number = 0; $number < (int) getenv('COUNTERS'); ++$number) {
    $counters[] = new Counter("counter-$number");
}
// Not the default, which is as many as there are descriptors for.
$server = server(limits: new \Sluice\Limits(connections: 65_535));
$handle = function (Request $request, Response $response): void {
    $response->header('Worker', (string) getmypid());
    match ($request->path()) {
        '/file' => $response->sendFile(__FILE__),
        '/length' => $response->text((string) strlen($request->body())),
        default => $response->text((string) getmypid()),
    };
};
$stream = function (Request $request, Response $response): void {
    $stream = $request->bodyStream();
    $bytes = strlen(fread($stream, 1));
    report('reading', ['pid' => getmypid()]);
    while (!feof($stream)) {
        $bytes += strlen(fread($stream, 65536));
    }
    $response->text((string) $bytes);
};
$site = $server->http(address(), $handle, limits: new Limits(bodyBytes: 8 << 20, bodyFileBytes: 65536));
$site->post('/stream', $stream, new Options(bodies: Bodies::Stream));
if (getenv('PROCESSES')) {
    $site->post('/apart', $handle, new Options(processes: 2));
}
if (file_exists(getenv('MORE'))) {
    $server->http(address(1), $handle);
}
$server->run();
