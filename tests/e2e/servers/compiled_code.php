<?php

declare(strict_types=1);

// Each kind of process loads a class out of FOLDER on demand. The service does what the file FOLDER/service names, and appends the answer to it.

namespace Sluice\EndToEnd;

use Sluice\Http\{Options, Processes, Request, Response, Script};
use Sluice\Service;

require __DIR__ . '/support.php';

function load(string $name): string
{
    require_once getenv('FOLDER') . "/$name.php";
    return (string) new $name();
}

$server = server();
$pool = $server->tasks(fn(): array => ['load' => load(...)], workers: 1);
$site = $server->http(address(), fn(Request $request, Response $response) => $response->text(load($request->query('name'))));
$script = new Script(__DIR__ . '/compiled_code/load.php');
$site->get('/classic', $script, new Options(classic: true));
$site->get('/fresh', $script, new Options(processes: new Processes(2)));
$site->get('/forked', $script, new Options(processes: 2));
$site->get('/task', fn(Request $request, Response $response) => $response->text($pool->run('load', $request->query('name'))));
$server->service('loader', function (Service $service): void {
    $asked = getenv('FOLDER') . '/service';
    while ($service->wait(0.01)) {
        if (is_file($asked)) {
            $name = file_get_contents($asked);
            file_put_contents("$asked.$name", load($name));
            unlink($asked);
        }
    }
});
$server->run();
