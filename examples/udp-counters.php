<?php

declare(strict_types=1);

// Counters that are fed by UDP and shown by HTTP: make run SCRIPT=examples/udp-counters.php
//   echo -n 'page.views:3' | nc -u -w1 127.0.0.1 9514 ; curl http://127.0.0.1:9514/

use Sluice\Http\{Request, Response};
use Sluice\Server;
use Sluice\Udp\Peer;

$address = $argv[1] ?? '127.0.0.1:9514';

// One worker, which holds all counters. UDP and HTTP may use one port number.
$server = new Server(workers: 1);
/** @var array<string, int> $counters */
$counters = [];

$server->udp($address, function (Peer $from, string $datagram) use (&$counters): void {
    if (!preg_match('/^([\w.]{1,100}):(-?\d{1,9})$/', trim($datagram), $match)) {
        return;  // no error is sent: the sender's address may be forged
    }
    $counters[$match[1]] = ($counters[$match[1]] ?? 0) + (int) $match[2];
    // The answer is shorter than the question, so that it is of no use to flood others.
    $from->send('ok');
});

$server->http($address, function (Request $request, Response $response) use (&$counters): void {
    ksort($counters);
    $response->json((object) $counters);
});

$server->run();
