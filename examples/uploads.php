<?php

declare(strict_types=1);

// Uploads of any size with progress that everybody can watch: make run SCRIPT=examples/uploads.php
// then open http://127.0.0.1:9511/ and choose a file, or:
//   curl -T big.iso 'http://127.0.0.1:9511/upload?id=mine' & curl -N 'http://127.0.0.1:9511/progress?id=mine'
//
// The handler reads the body while it arrives, so the body is never whole in memory. Files are written to UPLOADS_FOLDER, or to the
// system's folder for temporary files.

use Sluice\Coroutine;
use Sluice\Http\{BadRequest, Bodies, Limits, Options, Request, Response};
use Sluice\Server;

$address = $argv[1] ?? '127.0.0.1:9511';
$folder = getenv('UPLOADS_FOLDER') ?: sys_get_temp_dir();
$page = (string) file_get_contents(__DIR__ . '/uploads.html');

final class Upload
{
    public int $received = 0;
    public bool $ended = false;

    public function __construct(public readonly ?int $size) {}
}

// One worker, which knows all uploads. With more workers the progress would be in a Sluice\Shared\Table.
$server = new Server(workers: 1);
/** @var array<string, Upload> $uploads */
$uploads = [];

function idOf(Request $request): string
{
    $id = $request->query('id', '');
    return preg_match('/^\w{1,64}$/', (string) $id) ? (string) $id : throw new BadRequest('?id= is 1 to 64 letters and digits');
}

$receive = function (Request $request, Response $response) use (&$uploads, $folder): void {
    $id = idOf($request);
    $size = $request->header('content-length');
    $uploads[$id] = $upload = new Upload($size === null ? null : (int) $size);
    Coroutine\defer(function () use ($upload): void {
        $upload->ended = true;
    });
    $path = "$folder/sluice-upload-$id";
    $file = fopen($path, 'wb') ?: throw new RuntimeException("$path cannot be written");
    $hash = hash_init('sha256');
    $body = $request->bodyStream();
    while (!feof($body)) {
        $piece = (string) fread($body, 65536);
        fwrite($file, $piece);
        hash_update($hash, $piece);
        $upload->received += strlen($piece);
    }
    fclose($file);
    $response->status(201)->json(['bytes' => $upload->received, 'sha256' => hash_final($hash)]);
};

$watch = function (Request $request, Response $response) use (&$uploads): void {
    $upload = $uploads[idOf($request)] ?? null;
    if ($upload === null) {
        $response->status(404)->text("There is no such upload.\n");
        return;
    }
    $events = $response->events();
    // When the browser closes the connection, this handler is cancelled where it waits.
    for ($told = -1; !$upload->ended; Coroutine\sleep(0.1)) {
        if ($upload->received !== $told) {
            $told = $upload->received;
            $events->send((string) json_encode(['received' => $told, 'size' => $upload->size]), 'progress');
        }
    }
    $events->send((string) json_encode(['received' => $upload->received, 'size' => $upload->size]), 'end');
    $events->end();
};

$site = $server->http($address);
$site->get('/', fn(Request $request, Response $response) => $response->html($page));
$site->get('/progress', $watch);
// Only this route takes bodies of any length, and reads them while they arrive.
$site->any('/upload', $receive, new Options(bodies: Bodies::Stream), new Limits(bodyBytes: 1 << 40));

$server->run();
