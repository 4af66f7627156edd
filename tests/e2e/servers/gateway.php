<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Client, Request, Response};

use function Sluice\EndToEnd\{address, server};

$client = new Client();
$server = server();

$server->http(address(), function (Request $request, Response $response) use ($client): void {
    $url = getenv('BEHIND') . $request->path();
    try {
        $response->text($request->path() === '/cut'
            ? Coroutine\timeout(0.1, fn () => $client->get($url)->body())
            : $client->get($url)->body());
    } catch (Throwable $e) {
        $response->status(504)->text(get_class($e));
    }
});

$server->run();
