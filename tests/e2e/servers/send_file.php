<?php

declare(strict_types=1);

// Sends the files of the folder FILES, over HTTP and, when the folder CERTIFICATES holds one.pem and one.key, HTTPS.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, Listener, Tls};

use function Sluice\EndToEnd\{address, report, server, worker};

$server = server(limits: new Limits(openFiles: 20 * max(1, (int) getenv('REACTORS')), writeSeconds: 5.0));

$handler = function (Request $request, Response $response): void {
    $path = getenv('FILES') . '/' . $request->query('name', 'file.bin');
    try {
        match ($request->path()) {
            '/worker' => $response->json(worker()),
            '/type' => $response->sendFile($path, 'text/x-own'),
            '/download' => $response->sendFile($path, download: $request->query('as')),
            '/own' => $response->header('Content-Type', 'image/x')->etag('mine')->lastModified(784111777)
                ->header('Content-Length', '3')->sendFile($path),
            '/status' => $response->status(404)->sendFile($path),
            '/empty-status' => $response->status(204)->sendFile($path),
            '/twice' => $response->sendFile($path) && $response->sendFile($path),
            '/after-write' => [$response->write('x'), $response->sendFile($path)],
            '/nul' => $response->sendFile("$path\0"),
            '/bad-type' => $response->sendFile($path, "a\r\nb: c"),
            default => $response->sendFile($path),
        };
    } catch (Throwable $error) {
        report('refused', ['class' => $error::class, 'message' => str_replace(getenv('FILES'), '', $error->getMessage())]);
        if (!$response->isEnded()) {
            $response->end();
        }
    }
};

$server->http(address(0), $handler);
if (getenv('CERTIFICATES')) {
    $server->http(new Listener(address(1), new Tls(getenv('CERTIFICATES') . '/one.pem', getenv('CERTIFICATES') . '/one.key')), $handler);
}
$server->run();
