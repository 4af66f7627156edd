<?php

declare(strict_types=1);

require getenv('SUPPORT');
require __DIR__ . '/requests.php';

use Sluice\Http\{BadRequest, Request, Response};
use Sluice\{Http, Limits, ServerException, Timer};

use function Sluice\EndToEnd\{address, answers_common, inspected, report, server, stats, worker};

$server = server(limits: new Limits(http: new Http\Limits(bodyBytes: 8 << 20, headBytes: 8192, headerFields: 50, headSeconds: 60.0)));

$kept = [];

$server->http(address(), function (Request $request, Response $response) use ($server, &$kept): void {
    if (answers_common($request, $response)) {
        return;
    }
    switch ($request->path()) {
        case '/inspect':
            $response->json(inspected($request) + [
                'queryString' => $request->queryString(),
                'queryAll' => $request->queryAll(),
                'a' => $request->query('a'),
                'missing' => $request->query('missing', 'fallback'),
                'x-test' => $request->header('X-TEST'),
                'no-such' => $request->header('no-such', 'fallback'),
                'cookie' => $request->cookie('flavour'),
                'body' => $request->body(),
            ]);
            return;
        case '/parse-json':
            try {
                $response->json(['parsed' => $request->json()]);
            } catch (BadRequest $error) {
                $response->status(422)->text($error->getMessage() . ', ' . get_class($error->getPrevious()));
            }
            return;
        case '/json-body':
            $response->json(['parsed' => $request->json()]);
            return;
        case '/json-text':
            $response->jsonText('{"ready":  [1]}');
            return;
        case '/prefers':
            $response->json([
                $request->prefers(['application/json', 'text/html', 'text/plain;format=flowed']),
                $request->prefersLanguage(['en', 'de', 'fr-CA']),
            ]);
            return;
        case '/refused-offers':
            $response->json(array_map(function (Closure $what) {
                try {
                    return $what();
                } catch (ValueError $error) {
                    return $error->getMessage();
                }
            }, [
                fn () => $request->prefers([]),
                fn () => $request->prefers(['text/*']),
                fn () => $request->prefers([1]),
                fn () => $request->prefersLanguage(['de_AT']),
                fn () => $request->prefersLanguage(['x' => 'de']),
            ]));
            return;
        case '/fields':
            $response->header('X-One', 'first')->header('x-one', 'second')
                ->addHeader('set-cookie', 'a=1')->addHeader('Set-Cookie', 'b=2; HttpOnly')
                ->header('date', 'Thu, 01 Jan 1970 00:00:00 GMT')
                ->text('fields');
            return;
        case '/refused-fields':
            $refused = [];
            $pairs = [
                ['x-a', "one\r\nx-b: two"], ['x-a', "one\nx-b: two"], ['x-a', "a\0b"],
                ["x-a\r\n", 'b'], ['x a', 'b'], ['', 'b'],
            ];
            foreach ($pairs as $pair) {
                foreach (['header', 'addHeader'] as $method) {
                    try {
                        $response->$method(...$pair);
                    } catch (ValueError $error) {
                        $refused[] = $error->getMessage();
                    }
                }
            }
            try {
                $response->redirect("/somewhere\r\nx-b: two");
            } catch (ValueError $error) {
                $refused[] = $error->getMessage();
            }
            $response->json($refused);
            return;
        case '/status':
            $response->status((int) $request->query('code'))->end($request->query('body', ''));
            return;
        case '/json':
            $response->json(['ünï' => "a/b\n", 'list' => [1, 2.5, null, true]]);
            return;
        case '/json-pretty':
            $response->json(['a' => 'ü'], JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE);
            return;
        case '/json-broken':
            try {
                $response->json("\xff");
            } catch (JsonException) {
                $response->status(500)->text('not JSON');
            }
            return;
        case '/html':
            $response->html('<p>hi</p>');
            return;
        case '/redirect':
            $response->redirect('/hello?name=again', (int) $request->query('status', '302'));
            return;
        case '/misuse':
            $answers = [];
            $calls = [
                fn () => $response->status(99),
                fn () => $response->status(600),
                fn () => $response->redirect('/', 200),
            ];
            foreach ($calls as $call) {
                try {
                    $call();
                    $answers[] = 'accepted';
                } catch (ValueError $error) {
                    $answers[] = $error->getMessage();
                }
            }
            $response->json($answers);
            return;
        case '/twice':
            $before = $response->isEnded();
            $response->text('once');
            $errors = [];
            $calls = ['end' => ['x'], 'text' => ['x'], 'write' => ['x'], 'status' => [500], 'header' => ['a', 'b']];
            foreach ($calls as $method => $arguments) {
                try {
                    $response->$method(...$arguments);
                    $errors[$method] = null;
                } catch (ServerException $error) {
                    $errors[$method] = $error->getMessage();
                }
            }
            report('twice', ['before' => $before, 'after' => $response->isEnded(), 'errors' => $errors]);
            return;
        case '/stream':
            $response->header('content-type', 'text/plain');
            if ($request->query('length') !== null) {
                $response->header('content-length', $request->query('length'));
            }
            foreach (['one ', 'two ', 'three'] as $part) {
                $response->write($part);
            }
            $response->write('');
            $response->end();
            return;
        case '/stream-big':
            for ($i = 0; $i < 64; $i++) {
                $response->write(str_repeat(chr(65 + $i % 26), 65536));
            }
            $response->end('end');
            return;
        case '/stream-throw':
            $response->write('a part');
            throw new RuntimeException('after the first part');
        case '/throw':
            throw new RuntimeException('the handler broke: ' . $request->query('mark', ''));
        case '/error':
            (fn (int $number) => $number)('not a number');
            return;
        case '/later':
            Timer::after(0.02, function () use ($response, $request): void {
                $response->text('later ' . $request->query('mark', ''));
            });
            return;
        case '/let-go':
            $response->status(202)->header('x-mark', 'let go');
            return;
        case '/let-go-streaming':
            $response->write('what there is');
            return;
        case '/keep':
            $kept[] = $request->body();
            $response->json(['kept' => count($kept)]);
            return;
        case '/worker':
            $response->json(worker());
            return;
        case '/stats':
            $response->json(stats($server));
            return;
        default:
            $response->status(404)->text('There is nothing at ' . $request->path());
    }
});

$server->run();
