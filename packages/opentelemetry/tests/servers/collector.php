<?php

declare(strict_types=1);

// Stands for a collector: takes OTLP as JSON, answers with STATUS, and with HOLD only when `/release` was asked for.

use Sluice\{Coroutine, Mode, Server};
use Sluice\Http\{Request, Response};

$spans = 0;
$asked = 0;
$isHeld = \getenv('HOLD') !== false;

$server = new Server(Mode::Base, workers: 1, reactors: 1);
$site = $server->http(\getenv('ADDRESS') ?: '127.0.0.1:4318', function (Request $request, Response $response) use (&$spans, &$asked): void {
    $response->json(['spans' => $spans, 'asked' => $asked]);
});
$site->post('/v1/traces', function (Request $request, Response $response) use (&$spans, &$asked, &$isHeld): void {
    ++$asked;
    while ($isHeld) {
        Coroutine\sleep(0.01);
    }
    foreach (\json_decode($request->body(), true)['resourceSpans'] as $resource) {
        foreach ($resource['scopeSpans'] as $scope) {
            $spans += \count($scope['spans']);
        }
    }
    $response->status((int) (\getenv('STATUS') ?: 200))->json(new stdClass());
});
$site->get('/release', function (Request $request, Response $response) use (&$isHeld): void {
    $isHeld = false;
    $response->text('released');
});
$server->run();
