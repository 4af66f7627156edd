<?php

// Answers with the number that the request has, in as many bytes and after as long as it says. Reports each that begins.

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\Timer;

use function Sluice\EndToEnd\{address, limits, report, server};

$server = server(limits: limits(json_decode(getenv('LIMITS') ?: '[]', true)));

$server->http(address(), function (Request $request, Response $response): void {
    $number = $request->query('n', '');
    $body = str_pad($number, (int) $request->query('bytes', '0'), '.');
    $seconds = (float) $request->query('wait', '0');
    report('begun', ['n' => $number]);
    $wait = fn () => $seconds > 0 && usleep((int) ($seconds * 1e6));
    switch ($request->path()) {
        case '/stream':
            $response->write("$number ");
            $wait();
            $response->end($body);
            break;
        case '/later':
            Timer::after($seconds, fn () => $response->text($body));
            break;
        case '/goes-on':
            $response->text($body);
            $wait();
            report('ended', ['n' => $number]);
            break;
        case '/die':
            posix_kill(getmypid(), SIGKILL);
            // no break
        default:
            $wait();
            $response->text($body);
    }
});

$server->run();
