<?php

declare(strict_types=1);

// Scripts in a pool of processes, each request in a fresh PHP.

namespace Sluice\EndToEnd;

use Sluice\Http\{Options, Processes, Request, Response, Script};
use Sluice\Limits;

require __DIR__ . '/support.php';

final class OfTheBoot {}
function of_the_boot(): void {}
register_shutdown_function(static fn() => report('boot-ends'));
$of_the_boot = new class {
    public function __destruct()
    {
        report('boot-ends');
    }
};

$bounds = json_decode(getenv('PROCESSES') ?: '{"most": 4}', true);
$server = server(limits: new Limits(killSeconds: 60.0));
$site = $server->http(address(), new Script(__DIR__ . '/scripts/page.php'), new Options(processes: getenv('IN_WORKERS') ? 0 : new Processes(...$bounds)));
$site->get('/worker', fn(Request $request, Response $response) => $response->text((string) getmypid()), new Options(processes: 0));
$server->run();
