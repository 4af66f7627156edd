<?php

declare(strict_types=1);

// A PSR-15 application for the tests: the path of a request says what the application does.

use Nyholm\Psr7\{Response, Stream};
use Psr\Http\Message\{ResponseInterface, ServerRequestInterface, UploadedFileInterface};
use Psr\Http\Server\RequestHandlerInterface;
use Sluice\Coroutine;
use Sluice\Http\{Bodies, Limits, Options, Request};
use Sluice\{Mode, Server};
use Sluice\Psr\{FileStream, IteratorStream, Psr15Handler};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

/** @param array<mixed> $value */
function json(array $value): ResponseInterface
{
    return new Response(200, ['Content-Type' => 'application/json'], \json_encode($value, \JSON_THROW_ON_ERROR));
}

/**
 * @param array<mixed> $files
 * @return array<mixed>
 */
function describe(array $files): array
{
    return \array_map(static fn(mixed $file) => match (true) {
        $file instanceof UploadedFileInterface => [
            $file->getClientFilename(), $file->getClientMediaType(), $file->getSize(), $file->getError(), \md5((string) $file->getStream()),
        ],
        default => describe((array) $file),
    }, $files);
}

$application = new class implements RequestHandlerInterface {
    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $file = \getenv('FILE') ?: __FILE__;
        $user = $request->getAttribute('name');
        return match ($request->getUri()->getPath()) {
            '/' => new Response(200, [], 'hello'),
            '/head' => json([
                'method' => $request->getMethod(),
                'target' => $request->getRequestTarget(),
                'uri' => (string) $request->getUri(),
                'query' => $request->getQueryParams(),
                'cookies' => $request->getCookieParams(),
                'headers' => $request->getHeaders(),
                'line' => $request->getHeaderLine('X-Two'),
                'lines' => $request->getHeader('X-Two'),
                'has' => [$request->hasHeader('x-two'), $request->hasHeader('x-three')],
                'protocol' => $request->getProtocolVersion(),
                'server' => $request->getServerParams()['REQUEST_METHOD'] ?? null,
            ]),
            '/changed' => json([
                'before' => [$request->getMethod(), $request->getHeaderLine('X-Two'), (string) $request->getUri()],
                'after' => (static function (ServerRequestInterface $request): array {
                    $request = $request->withMethod('PUT')->withHeader('X-Two', 'new')->withUri($request->getUri()->withPath('/new'))
                        ->withQueryParams(['q' => '2'])->withCookieParams(['c' => '3'])->withAttribute('a', 4)->withParsedBody(['p' => 5])
                        ->withAddedHeader('X-Two', 'newer')->withoutHeader('Cookie')->withAttribute('b', 6)->withoutAttribute('b');
                    return [
                        $request->getMethod(), $request->getHeader('X-Two'), (string) $request->getUri(), $request->getQueryParams(),
                        $request->getCookieParams(), $request->getAttribute('a'), $request->getAttribute('b', 'none'), $request->getParsedBody(),
                        $request->hasHeader('cookie'), (string) $request->getBody(),
                    ];
                })($request),
            ]),
            '/form' => json(['form' => $request->getParsedBody(), 'files' => describe($request->getUploadedFiles())]),
            '/move' => (static function (ServerRequestInterface $request) use ($file): ResponseInterface {
                $upload = $request->getUploadedFiles()['photo'] ?? null;
                \assert($upload instanceof UploadedFileInterface);
                $upload->moveTo("$file.moved");
                try {
                    $upload->moveTo("$file.again");
                    return new Response(500);
                } catch (RuntimeException $error) {
                    return json([$error->getMessage(), \md5_file("$file.moved")]);
                }
            })($request),
            '/body' => json(['bytes' => \strlen((string) $request->getBody()), 'again' => \md5((string) $request->getBody())]),
            '/upload' => (static function (ServerRequestInterface $request): ResponseInterface {
                $body = $request->withAttribute('copy', true)->getBody();
                [$bytes, $reads] = [0, 0];
                while (!$body->eof()) {
                    $bytes += \strlen($body->read(65536));
                    ++$reads;
                }
                return json(['bytes' => $bytes, 'severalReads' => $reads > 1, 'seekable' => $body->isSeekable(), 'same' => $request->getBody() === $body]);
            })($request),
            '/file' => new Response(200, ['Content-Type' => 'text/x-test', 'Content-Length' => '1'], new FileStream($file)),
            '/read-file' => (static function () use ($file): ResponseInterface {
                $stream = new FileStream($file);
                $stream->read(3);
                return new Response(200, [], $stream);
            })(),
            '/pieces' => new Response(200, ['Content-Type' => 'text/event-stream'], new IteratorStream((static function (): Generator {
                foreach (['a', '', 'b', 'c'] as $piece) {
                    yield "data: $piece\n\n";
                    Coroutine\sleep(0.01);
                }
            })())),
            '/long' => new Response(200, [], Stream::create(\str_repeat('0123456789', 500_000))),
            '/fields' => new Response(404, [
                'X-Two' => ['1', '2'], 'Set-Cookie' => ['a=1', 'b=2'], 'Connection' => 'close', 'Transfer-Encoding' => 'chunked', 'Content-Length' => '3',
            ], 'nothing here'),
            '/none' => new Response(204),
            '/throws' => throw new LogicException('a bug'),
            '/wait' => (static function (): ResponseInterface {
                Coroutine\sleep(0.2);
                return new Response(200, [], 'waited');
            })(),
            default => \is_string($user)
                ? json(['name' => $user, 'native' => $request->getAttribute(Request::class) instanceof Request, 'other' => $request->getAttribute('other', 'default')])
                : new Response(404),
        };
    }
};

$handler = new Psr15Handler($application);
$server = new Server(Mode::from(\getenv('MODE') ?: 'process'), workers: 1, reactors: 1);
$site = $server->http(\getenv('ADDRESS') ?: '127.0.0.1:8080', $handler, limits: new Limits(bodyBytes: 8 << 20));
$site->get('/users/{name}', $handler);
$site->any('/upload', $handler, new Options(bodies: Bodies::Stream));
$server->run();
