<?php

declare(strict_types=1);

// The tests copy this script, and change the copy between two boots.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, LogFormat, LogLevel, Service, WebSocket, Worker};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server, stats, worker};

const RELEASE = 'one';

$server = server(
    limits: new Limits(arenaBytes: 32 << 20, lentBytes: 8 << 20, shutdownSeconds: 2.0, bootSeconds: (float) (getenv('BOOT_SECONDS') ?: 60), killSeconds: (float) (getenv('KILL_SECONDS') ?: 60), webSocket: new WebSocket\Limits(messageBytes: 8 << 20)),
    pidFile: getenv('PID_FILE') ?: null,
    logFile: getenv('LOG_FILE') ?: null,
);

if ($user = getenv('RUN_AS')) {
    $server->runAs($user, getenv('GROUP') ?: null, getenv('UMASK') ? octdec(getenv('UMASK')) : null);
}
if (getenv('LOG')) {
    $server->log(LogFormat::from(getenv('LOG')), LogLevel::from(getenv('LEVEL') ?: 'info'));
}
if (getenv('CRASHES')) {
    $server->crashReports(getenv('CRASHES'));
}
if (getenv('BOOT_FAILS') && file_exists(getenv('BOOT_FAILS'))) {
    throw new RuntimeException('this script cannot be booted');
}
if (getenv('SERVICE')) {
    $server->service('only', function (Service $service): void {
        report('service begins', ['pid' => $service->pid, 'master' => posix_getppid()]);
        while ($service->wait(3600)) {
        }
        report('service ends', ['pid' => $service->pid]);
    });
}
if (getenv('SIGNAL_BEFORE_RUN')) {
    putenv('SIGNAL_BEFORE_RUN');
    posix_kill(getmypid(), SIGHUP);
}
$held = [];

function wait_for_end_of(string $file): void
{
    while (file_exists($file)) {
        clearstatcache();
        usleep(1000);
    }
}

$server->onWorkerStart(function (Worker $worker): void {
    $broken = getenv('BROKEN');
    if ($broken !== false && file_exists($broken)) {
        report('boot-broken', ['worker' => $worker->id]);
        match (trim(file_get_contents($broken))) {
            'throw' => throw new RuntimeException('this worker cannot begin'),
            'exit' => exit(3),
            'hang' => sleep(1000),
            'second waits' => $worker->id === 0 ?: wait_for_end_of($broken),
        };
    }
});

$site = $server->http(address(), function (Request $request, Response $response) use ($server, &$held): void {
    switch ($request->path()) {
        case '/worker':
            $response->json(worker() + ['release' => RELEASE]);
            return;
        case '/sleep':
            report('sleeping', worker() + ['mark' => $request->query('mark')]);
            usleep((int) $request->query('ms') * 1000);
            $response->text('slept ' . RELEASE);
            return;
        case '/spin':
            report('spinning', worker());
            while (true);
            // no break
        case '/crash':
            posix_kill(getmypid(), (int) $request->query('signal'));
            return;
        case '/log':
            for ($number = 0; $number < (int) $request->query('times'); $number++) {
                error_log($request->query('text'));
            }
            $response->text('logged');
            return;
        case '/who':
            touch(getenv('TOUCH') . '/made by ' . getmypid());
            $response->json(['uid' => posix_getuid(), 'euid' => posix_geteuid(), 'gid' => posix_getgid(), 'groups' => posix_getgroups()] + worker());
            return;
        case '/exit':
            exit(7);
        case '/throw':
            throw new RuntimeException('thrown on purpose ' . str_repeat('x', 500));
        case '/fatal':
            trigger_error('asked to give up', E_USER_ERROR);
            return;
        case '/memory':
            ini_set('memory_limit', '32M');
            str_repeat('x', 64 << 20);
            return;
        case '/hold':
            $held[] = $request->body();
            $response->json(worker() + ['lent' => \Sluice\Worker::lentBytes()]);
            return;
        case '/stats':
            $response->json(stats($server));
            return;
        case '/reload':
            $server->reload();
            $response->text('asked');
            return;
        case '/stop':
            $server->stop();
            $response->text('asked');
            return;
    }
});

for ($number = 1; $number <= (int) getenv('ROUTES'); $number++) {
    $site->webSocket("/a/path/that/is/so/long/that/hundreds/of/its/kind/do/not/fit/into/one/message/of/a/socket/$number",
        fn (Connection $who, string $data) => $who->send("$number: $data"));
}
$site->webSocket('/echo', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->subscribe('everyone');
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        if ($data === 'spin') {
            report('spinning', worker());
            while (true);
        }
        if (str_starts_with($data, 'slow')) {
            report('slow', worker());
            usleep(300_000);
        }
        $who->send(RELEASE . ':' . strlen($data) . ':' . substr($data, 0, 20));
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('close', ['id' => $who->id, 'code' => $code]);
    }
});

$server->run();
