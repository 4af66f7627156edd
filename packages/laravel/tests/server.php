<?php

declare(strict_types=1);

// Serves the application in the folder APP as sluice:start does, with the settings that tests vary.

use Sluice\Http\{Limits, Options};
use Sluice\Laravel\Services\{QueueService, Scheduler};
use Sluice\Laravel\{Applications, LaravelHandler};
use Sluice\{Limits as ServerLimits, Mode, Server};

require \dirname(__DIR__, 3) . '/build/packages/vendor/autoload.php';
$folder = (string) \getenv('APP');

$server = new Server(Mode::from((string) \getenv('MODE')), workers: (int) (\getenv('WORKERS') ?: 1), reactors: 1, limits: new ServerLimits(queueSeconds: 0.0));
$applications = new Applications($folder, (int) (\getenv('APPLICATIONS') ?: 64));
// On a busy machine everybody waits for long for one worker; and in base mode a head is read by the worker that is busy with other requests: on a busy machine for longer than the default.
$limits = new Limits(headSeconds: 60.0);
$site = $server->http((string) \getenv('ADDRESS'), new LaravelHandler($applications, "$folder/public"), new Options(classic: true), limits: $limits);
if (\getenv('BROADCAST_CONNECTION') === 'sluice') {
    $applications->broadcast($server, $site);
}
if (\getenv('QUEUE') !== false) {
    (new QueueService($applications, jobs: 4, tries: 2, timeout: 2, sleep: 0.05))->serve($server, 2);
    (new Scheduler($applications, minute: 1))->serve($server);
}
$server->run();
