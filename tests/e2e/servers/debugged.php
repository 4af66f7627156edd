<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

// Tests know these lines by their comments.

function greet(string $name): string
{
    $text = "hello $name"; // in greet
    return $text; // before greet returns
}

function handle(Request $request, Response $response): void
{
    $who = $request->query('name', 'nobody');
    usleep(1000);
    $greeting = greet($who); // breakpoint
    usleep(1000); // after greet
    $response->text($greeting); // after the wait
}

function measure(Request $request, Response $response): void
{
    \pcov\clear();
    \pcov\start();
    covered($request->query('name') === 'you');
    \pcov\stop();
    $response->json(\pcov\collect(\pcov\inclusive, [__FILE__])[__FILE__]);
}

function covered(bool $known): void
{
    usleep(1000); // before
    if ($known) {
        usleep(1000); // covered
    } else {
        usleep(1000); // not covered
    }
    array_map(function (int $time): void {
        usleep($time); // in a callback
        $after = $time; // after the wait in a callback
    }, [1000, 2000]);
}

$server = server();
$server->http(address(), function (Request $request, Response $response): void {
    match ($request->path()) {
        '/handle' => handle($request, $response),
        '/measure' => measure($request, $response),
        default => $response->text('ready'),
    };
});
$server->run();
