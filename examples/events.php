<?php

declare(strict_types=1);

// Server-sent events, which continue where they stopped when a browser connects again: make run SCRIPT=examples/events.php
// then open http://127.0.0.1:9512/ or: curl -N http://127.0.0.1:9512/events

use Sluice\Http\{Request, Response};
use Sluice\{Server, Worker};

$address = $argv[1] ?? '127.0.0.1:9512';
$page = <<<'HTML'
    <!doctype html><html lang="en"><meta charset="utf-8"><title>Events</title><link rel="icon" href="data:,">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2.5rem auto; padding: 0 1rem } h1 { font-size: 1.5rem; margin: 0 }</style>
    <h1>One number each second</h1>
    <p>Stop the server and start it again: the page connects again by itself, and the numbers continue where they stopped.</p>
    <ol id="list"></ol>
    <script>
      new EventSource('/events').addEventListener('number', ({ data, lastEventId }) => {
        list.append(Object.assign(document.createElement('li'), { value: lastEventId, textContent: data }));
      });
    </script>
    HTML;

$server = new Server();

$server->http($address, function (Request $request, Response $response) use ($page): void {
    if ($request->path() !== '/events') {
        $response->html($page);
        return;
    }
    $events = $response->events();
    $number = (int) $request->header('last-event-id', '0');
    $seconds = (float) $request->query('every', '1');
    // It ends with its worker. A browser that leaves cancels it where it waits.
    do {
        ++$number;
        $events->send(date('H:i:s') . ": $number squared is " . $number ** 2, 'number', id: (string) $number, retryMs: 1000);
    } while (!Worker::waitForEnd(max(0.001, $seconds)));
});

$server->run();
