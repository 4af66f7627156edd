<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{BadRequest, Request, Response, UploadedFile};
use Sluice\{Http, Limits};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(http: new Http\Limits(bodyBytes: 8 << 20, formFields: 20, partHeadBytes: 512)));
/** @var list<UploadedFile> $kept */
$kept = [];

function describe(UploadedFile|array $file): array
{
    if (is_array($file)) {
        return array_map(describe(...), $file);
    }
    return ['name' => $file->clientName, 'type' => $file->clientType, 'size' => $file->size,
        'sha256' => hash('sha256', $file->contents())];
}

$server->http(address(), function (Request $request, Response $response) use (&$kept): void {
    switch ($request->path()) {
        case '/form':
            $response->json([
                'all' => $request->formAll(),
                'files' => array_map(describe(...), $request->files()),
                'a' => $request->form('a'),
                'missing' => $request->form('missing', 'fallback'),
                'none' => $request->form('missing'),
            ]);
            return;
        case '/caught':
            try {
                $request->files();
                $response->text('fine');
            } catch (BadRequest $error) {
                $response->status(422)->text($error->getMessage());
            }
            return;
        case '/stream':
            $file = $request->files()['up'];
            $stream = $file->stream();
            $hash = hash_init('sha256');
            hash_update_stream($hash, $stream);
            $atEnd = feof($stream);
            $back = fseek($stream, -3, SEEK_END);
            $tail = fread($stream, 100);
            $beyond = fseek($stream, 1, SEEK_END);
            rewind($stream);
            $response->json(['sha256' => hash_final($hash), 'eof' => $atEnd, 'seek' => [$back, $beyond], 'tail' => $tail,
                'head' => fread($stream, 3), 'size' => fstat($stream)['size'], 'write' => @fwrite($stream, 'x')]);
            return;
        case '/path':
            $file = $request->files()['up'];
            $path = $file->path();
            report('path', ['path' => $path, 'mode' => fileperms($path) & 0777, 'again' => $file->path() === $path]);
            $response->json(['sha256' => hash_file('sha256', $path), 'size' => filesize($path)]);
            return;
        case '/kept-path':
            $file = $request->files()['up'];
            rename($file->path(), $request->query('to'));
            unset($file);
            $response->text('renamed');
            return;
        case '/move':
            $target = $request->query('to');
            $file = $request->files()['up'];
            try {
                $file->moveTo($target);
                $response->text(hash_file('sha256', $target));
            } catch (\Sluice\ServerException $error) {
                $response->status(422)->text($error->getMessage());
            }
            return;
        case '/keep':
            $kept[] = $request->files()['up'];
            $response->text((string) count($kept));
            return;
        case '/kept':
            $response->json(array_map(describe(...), $kept));
            return;
        case '/forget':
            $kept = [];
            $response->text('gone');
            return;
        case '/thrown':
            throw new BadRequest('a number is wanted for "page"');
        case '/thrown-late':
            $response->write('part');
            throw new BadRequest('too late');
    }
});
$server->run();
