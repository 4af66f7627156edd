<?php

declare(strict_types=1);

// For tests/e2e/observer/test_shared_structures.py: shared tables and counters. SHAPE names a file with the bytes of the table `pages`; empty: there is none.

namespace Sluice\EndToEnd;

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\Shared\{Counter, Lock, Table};

$bytes = (int) file_get_contents(getenv('SHAPE'));
$pages = $bytes > 0 ? new Table('pages', $bytes, evict: true) : null;
$visits = new Counter('visits');
$lock = new Lock('mail');

$server = server();
$server->admin(address(1), getenv('TOKEN'));
$site = $server->http(address(), fn (Request $request, Response $response) => $response->text('hello'));
$site->get('/fill', function (Request $request, Response $response) use ($pages): void {
    for ($entry = 0; $entry < (int) $request->query('entries'); ++$entry) {
        $pages->set("page $entry", str_repeat('x', 1000));
    }
    $stats = $pages->stats();
    $response->json(['entries' => $stats->entries, 'bytes' => $stats->usedBytes, 'max_bytes' => $stats->bytes, 'evictions' => $stats->evicted]);
});
$site->get('/count', fn (Request $request, Response $response) => $response->text((string) $visits->add((int) $request->query('by'))));
$site->get('/lock', fn (Request $request, Response $response) => $response->text($lock->use(fn () => 'locked')));
$server->run();
