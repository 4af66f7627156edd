<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{BadRequest, Bodies, Options, Request, Response, UploadedFile};
use Sluice\{Coroutine, ServerException};

use function Sluice\EndToEnd\{address, limits, report, server};

ini_set('memory_limit', '48M');
const MIB = 1 << 20;

$server = server(
    limits: limits(json_decode(getenv('LIMITS') ?: '{}', true) + [
        'arenaBytes' => 2 * MIB, 'messageBytes' => MIB, 'bodyBytes' => 1 << 40, 'bodyFileBytes' => 65536,
        'temporaryFileBytes' => 200 * MIB,
    ]),
    temporaryFolder: getenv('FOLDER') ?: null,
);
/** @var array<string, UploadedFile> $kept */
$kept = [];
/** @var array<string, true> $go what requests have allowed */
$go = [];

function digest_of(mixed $stream): array
{
    $hash = hash_init('sha256');
    $size = hash_update_stream($hash, $stream);
    return ['sha256' => hash_final($hash), 'size' => $size];
}

function describe(UploadedFile|array $file): array
{
    return is_array($file) ? array_map(describe(...), $file)
        : ['name' => $file->clientName, 'size' => $file->size, 'sha256' => digest_of($file->stream())['sha256']];
}

function handle(Request $request, Response $response): void
{
    global $kept, $go;
    switch ($request->path()) {
        case '/body':
            $body = $request->body();
            $response->json(['size' => strlen($body), 'sha256' => hash('sha256', $body), 'again' => $request->body() === $body,
                'stream' => digest_of($request->bodyStream())]);
            return;
        case '/digest':
        case '/one-by-one':
            $stream = $request->bodyStream();
            memory_reset_peak_usage();
            $response->json(digest_of($stream) + ['eof' => feof($stream), 'peak' => memory_get_peak_usage()]);
            return;
        case '/seek':
            $stream = $request->bodyStream();
            $other = $request->bodyStream();
            $seeks = [fseek($stream, -3, SEEK_END), fseek($other, 2), fseek($stream, 1, SEEK_END)];
            $response->json(['seeks' => $seeks, 'tail' => fread($stream, 100), 'other' => fread($other, 3),
                'size' => fstat($stream)['size'], 'write' => @fwrite($stream, 'x')]);
            return;
        case '/form':
            memory_reset_peak_usage();
            $files = array_map(describe(...), $request->files());
            $response->json(['files' => $files, 'all' => $request->formAll(), 'peak' => memory_get_peak_usage()]);
            return;
        case '/contents':
            try {
                $response->text(hash('sha256', $request->files()['up']->contents()));
            } catch (ServerException $error) {
                $response->status(422)->text($error->getMessage());
            }
            return;
        case '/too-long':
            try {
                $response->text((string) strlen($request->body()));
            } catch (ServerException $error) {
                $response->status(422)->text($error->getMessage());
            }
            return;
        case '/move':
            $file = $request->files()['up'];
            $file->moveTo($request->query('to'));
            $response->json(['sha256' => hash_file('sha256', $request->query('to')), 'peak' => memory_get_peak_usage()]);
            return;
        case '/keep':
            $kept[] = $request->files()['up'];
            $response->text('kept');
            return;
        case '/kept':
            $response->json(array_map(describe(...), $kept));
            return;
        case '/forget':
            $kept = [];
            $response->text('gone');
            return;
        case '/spin':
            report('spinning', ['pid' => getmypid()]);
            while (true) {
            }
        case '/go':
            $go[$request->query('name')] = true;
            $response->text('');
            return;
        case '/long':
            for ($part = 0; $part < 40; ++$part) {
                $response->write(str_repeat('x', MIB));
            }
            $response->end();
            return;
        case '/hello':
            $response->text('hello');
            return;

            // With streamed bodies:
        case '/echo':
            $stream = $request->bodyStream();
            while (($piece = fread($stream, 8192)) !== '' && $piece !== false) {
                $response->write($piece);
            }
            $response->end();
            return;
        case '/early':
            report('begun');
            $response->text('early');
            return;
        case '/wait':
            report('begun');
            while (!isset($go[$request->query('name')])) {
                Coroutine\sleep(0.005);
            }
            $response->json(digest_of($request->bodyStream()));
            return;
        case '/json':
            $response->json($request->json());
            return;
        case '/decides':
            // The head says whether the body is refused, taken as it comes, or taken whole.
            if ($request->header('x-may') === null) {
                $response->status(403)->text('who are you?');
                return;
            }
            if ($request->header('x-may') === 'whole') {
                $request->receiveBody();
                $request->receiveBody();
            }
            memory_reset_peak_usage();
            $first = $request->bodyStream();
            $seeks = @fseek($first, 0, SEEK_END) === 0 && fseek($first, 0) === 0;
            $response->json(digest_of($first) + ['seeks' => $seeks, 'peak' => memory_get_peak_usage(),
                'again' => $seeks ? digest_of($request->bodyStream())['sha256'] : null]);
            return;
        case '/whole-too-late':
            $request->bodyStream();
            try {
                $request->receiveBody();
            } catch (ServerException $error) {
                $response->text($error->getMessage());
            }
            return;
        case '/whole-without-room':
            try {
                $request->receiveBody();
                $response->text('there was room');
            } catch (ServerException $error) {
                if ($request->query('uncaught') !== null) {
                    throw $error;
                }
                $response->status(507)->text($error->getMessage());
            }
            return;
        case '/twice':
            report('begun');
            $first = $request->bodyStream();
            $errors = [];
            foreach ([$request->bodyStream(...), $request->body(...)] as $second) {
                try {
                    $second();
                } catch (ServerException $error) {
                    $errors[] = $error->getMessage();
                }
            }
            $response->json(['errors' => $errors, 'all' => stream_get_contents($first), 'seek' => @fseek($first, 0)]);
            return;
        case '/report':
            report('begun', ['pid' => getmypid()]);
            try {
                $size = 0;
                $stream = $request->bodyStream();
                while (!feof($stream)) {
                    $size += strlen(fread($stream, 8192));
                    report('read', ['size' => $size]);
                }
                report('complete', ['size' => $size]);
            } catch (BadRequest $error) {
                report('bad', ['message' => $error->getMessage()]);
                throw $error;
            } catch (Coroutine\CancelledError $error) {
                report('cancelled', ['message' => $error->getMessage()]);
                throw $error;
            }
            $response->text((string) $size);
            return;
    }
}

$server->http(address(), handle(...));
$streaming = $server->http(address(1), handle(...), new Options(bodies: Bodies::Stream));
$streaming->post('/one-by-one', handle(...), new Options(bodies: Bodies::Stream, concurrency: 1));
$server->run();
