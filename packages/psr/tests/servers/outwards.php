<?php

declare(strict_types=1);

// A server that asks itself by PSR-18, writes its log by PSR-3, and tells of itself by PSR-14.

use Nyholm\Psr7\{Request as PsrRequest, Stream};
use Psr\EventDispatcher\EventDispatcherInterface;
use Psr\Log\LogLevel;
use Sluice\{Coroutine, Mode, Server};
use Sluice\Http\{Client as SluiceClient, Compression, Options, Request, Response};
use Sluice\Psr\{Client, Events, IteratorStream, Log, NetworkException, RequestException};

require \dirname(__DIR__, 4) . '/build/packages/vendor/autoload.php';

$address = \getenv('ADDRESS') ?: '127.0.0.1:8080';
$client = new Client();
$log = new Log(LogLevel::INFO);

$server = new Server(Mode::from(\getenv('MODE') ?: 'process'), workers: 1, reactors: 1);
Events::of($server, new class($log) implements EventDispatcherInterface {
    public function __construct(private readonly Log $log) {}

    public function dispatch(object $event): object
    {
        $this->log->info('event {name}', ['name' => \substr((string) \strrchr($event::class, '\\'), 1)]);
        return $event;
    }
});
$site = $server->http($address, options: new Options(compression: new Compression(minBytes: 100)));
$site->any('/echo', function (Request $request, Response $response): void {
    $response->status(201)->header('X-Method', $request->method())->addHeader('X-Two', '1')->addHeader('X-Two', '2');
    $response->text($request->header('x-mine') . '|' . $request->header('content-length', 'chunked') . '|' . \md5($request->body()) . '|' . \strlen($request->body()));
});
$site->get('/moved', fn(Request $request, Response $response) => $response->redirect('/echo'));
$site->get('/long', fn(Request $request, Response $response) => $response->text(\str_repeat('0123456789', 2_000_000)));
$site->get('/asks', function (Request $request, Response $response) use ($address, $client): void {
    $url = "http://$address";
    $answers = Coroutine\all(
        fn() => $client->sendRequest(new PsrRequest('PUT', "$url/echo#fragment", ['X-Mine' => 'a', 'Content-Length' => '999'], 'body')),
        fn() => $client->sendRequest(new PsrRequest('POST', "$url/echo", [], Stream::create(\str_repeat('x', 3_000_000)))),
        fn() => $client->sendRequest(new PsrRequest('POST', "$url/echo", [], new IteratorStream(['one', 'two']))),
        fn() => $client->sendRequest(new PsrRequest('GET', "$url/moved")),
        fn() => (new Client(new SluiceClient(redirects: 1)))->sendRequest(new PsrRequest('GET', "$url/moved")),
    );
    $long = (new Client(streamsBodies: true))->sendRequest(new PsrRequest('GET', "$url/long"))->getBody();
    $bytes = 0;
    while (!$long->eof()) {
        $bytes += \strlen($long->read(8192));
    }
    $errors = [];
    foreach ([new PsrRequest('GET', '/no-host'), new PsrRequest('GET', 'http://127.0.0.1:1/'), new PsrRequest('GET', "$url/long")] as $wrong) {
        try {
            $client->sendRequest($wrong);
        } catch (RequestException | NetworkException $error) {
            $errors[] = [\substr((string) \strrchr($error::class, '\\'), 1), $error->getRequest() === $wrong, $error->getMessage() !== ''];
        }
    }
    $response->json([
        \array_map(fn($answer) => [$answer->getStatusCode(), $answer->getHeaderLine('X-Two'), (string) $answer->getBody(), $answer->getBody()->isSeekable()], \array_values($answers)),
        $bytes,
        $errors,
    ]);
});
$site->get('/logs', function (Request $request, Response $response) use ($log): void {
    $log->debug('too quiet');
    $log->warning("user {user} \n{unknown} {is}", ['user' => 'anna', 'is' => true, 'more' => ['a' => 1]]);
    $log->error('it broke', ['exception' => new DomainException('the reason')]);
    $response->text("logged\n");
});
$site->get('/throws', fn() => throw new DomainException('a bug'));
$server->run();
