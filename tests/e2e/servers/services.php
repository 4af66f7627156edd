<?php

declare(strict_types=1);

// The tests copy this script, and change the copy between two boots. DO says what the service does.

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Request, Response};
use Sluice\Shared\Counter;
use Sluice\{Limits, Server, Service, Timer, WebSocket, Worker};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server};

const RELEASE = 'one';
const PROCESSES = 1;

$server = server(limits: new Limits(
    shutdownSeconds: (float) (getenv('SHUTDOWN_SECONDS') ?: 10),
    stallSeconds: 0.2,
    killSeconds: (float) (getenv('KILL_SECONDS') ?: 60),
));
$client = new Counter('client');

final class Joining implements Handler
{
    public function __construct(private Counter $client) {}

    public function open(Connection $who, Request $request): void
    {
        $who->subscribe('news');
        $this->client->set($who->id);
    }

    public function message(Connection $who, string $data, bool $binary): void {}

    public function close(Connection $who, int $code, string $reason): void {}
}

$site = $server->http(address(), fn(Request $request, Response $response) => $response->text(RELEASE));
if (getenv('TOKEN')) {
    $server->admin(address(1), getenv('TOKEN'));
}
$site->webSocket('/join', new Joining($client));
$site->get('/stats', fn(Request $request, Response $response) => $response->json(get_object_vars($server->stats())));

function began(Service $service): void
{
    report('began', ['id' => $service->id, 'pid' => $service->pid, 'generation' => $service->generation, 'release' => RELEASE,
        'name' => $service->name, 'is_current' => Service::current() === $service, 'is_worker' => Worker::current() !== null]);
}

function leaks(): never
{
    $all = [];
    while (true) {
        $all[] = str_repeat('x', 1 << 20);
    }
}

$do = [
    'serves' => function (Service $service): void {
        began($service);
        while ($service->wait(1000)) {
        }
        report('ended', ['id' => $service->id, 'pid' => $service->pid, 'stopping' => Service::isStopping()]);
    },
    'sends' => function (Service $service) use ($server, $client): void {
        began($service);
        while ($service->wait(0.01)) {
            if ($client->get() > 0 && $server->subscribers('news') > 0) {
                $server->publish('news', 'to all');
                Connection::fromId($client->get())->send('to one');
                return;
            }
        }
    },
    'sleeps' => function (Service $service): void {
        began($service);
        try {
            sleep(1000);
        } finally {
            report('cleaned-up');
        }
    },
    'throws' => function (Service $service): void {
        began($service);
        throw new RuntimeException('this service is broken');
    },
    'returns' => began(...),
    'exits' => function (Service $service): void {
        began($service);
        exit(7);
    },
    'exits-beside' => function (Service $service): void {
        began($service);
        Timer::after(0.01, fn() => exit(7));
        try {
            $service->wait(1000);
        } finally {
            report('cleaned-up');
        }
    },
    'spawns' => function (Service $service): void {
        began($service);
        Coroutine\spawn(function () use ($service): void {
            usleep(300_000);
            report('ended', ['id' => $service->id, 'pid' => $service->pid]);
        });
        $left = 3;
        $timer = Timer::every(0.2, function () use (&$left, &$timer): void {
            report('tick');
            if (--$left === 0) {
                $timer->cancel();
            }
        });
    },
    'spins' => function (Service $service): void {
        began($service);
        while (true);
    },
    'leaks' => function (Service $service): void {
        began($service);
        ini_set('memory_limit', '32M');
        leaks();
    },
    'reloads' => function (Service $service) use ($server): void {
        began($service);
        if ($service->generation === 1) {
            $server->reload();
        }
        $service->wait(1000);
    },
];
if (PROCESSES > 0) {
    $server->service('steady', $do[getenv('DO')], processes: PROCESSES);
}
$server->run();
