<?php

declare(strict_types=1);

// Sends more than the ring to the reactor takes.

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\Limits;
use Sluice\Timer;
use Sluice\WebSocket\Connection;

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(ringBytes: 512 << 10, outBytes: 1 << 20));

/** The number of messages published so far, and how often the timer has had its turn. */
$published = $turns = 0;

$site = $server->http(address(), function (Request $request, Response $response): void {
    $bytes = (int) $request->query('bytes');
    if ($request->path() === '/at-once') {
        $response->text(str_repeat('x', $bytes));
        return;
    }
    for ($written = 0; $written < $bytes; $written += 100_000) {
        $response->write(str_repeat('x', min(100_000, $bytes - $written)));
    }
});
$site->webSocket('/publish', function (Connection $who, string $data) use (&$published, &$turns): void {
    [$count, $begin] = explode(' ', $data);
    $who->subscribe('room');
    report('begun', ['pid' => getmypid()]);
    while (!is_file($begin)) {
        Coroutine\sleep(0.005);
        clearstatcache();
    }
    $turn = Timer::every(0.005, function () use (&$published, &$turns): void {
        report('turn', ['published' => $published, 'turns' => ++$turns]);
    });
    while ($published < (int) $count) {
        $who->publish('room', str_pad((string) $published++, 1000, '.'));
    }
    $who->publish('room', 'end');
    $turn->cancel();
    report('published');
});

$server->run();
