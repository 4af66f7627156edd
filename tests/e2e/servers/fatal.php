<?php

declare(strict_types=1);

// Fatal errors of PHP, which end what has made them, and others beside them.

require getenv('SUPPORT');

use Sluice\{Coroutine, Limits, Timer};
use Sluice\Http\{Options, Request, Response, Script};
use Sluice\WebSocket;

use function Sluice\EndToEnd\{address, report, server};

ini_set('memory_limit', '48M');
$server = server(limits: new Limits(shutdownSeconds: (float) (getenv('SHUTDOWN') ?: 10)));
$exceed = function (): void {
    str_repeat('x', 64 << 20);
};
$site = $server->http(address(), new Script(__DIR__ . '/fatal/page.php'));
$site->get('/plain/{how}', function (Request $request, Response $response) use ($exceed): void {
    match ($request->parameter('how')) {
        'memory' => $exceed(),
        'twice' => [require __DIR__ . '/fatal/functions.php', require __DIR__ . '/fatal/functions.php'],
        'fatal' => trigger_error('no more', E_USER_ERROR),
        'nothing' => null,
    };
    $response->text((string) getmypid());
});
$site->get('/sleep', function (Request $request, Response $response): void {
    report('sleeps', ['pid' => getmypid()]);
    usleep(1000 * (int) $request->query('ms'));
    $response->text((string) getmypid());
});
$site->get('/task', function (Request $request, Response $response) use ($exceed): void {
    try {
        Coroutine\all(fn() => usleep(1000), $exceed);
    } catch (Error $error) {
        $response->text($error->getMessage());
    }
});
$site->get('/timer', function (Request $request, Response $response) use ($exceed): void {
    Timer::after(0, $exceed);
    $response->text((string) getmypid());
});
$site->webSocket('/socket', new class ($exceed) implements WebSocket\Handler {
    public function __construct(private Closure $exceed) {}
    public function open(WebSocket\Connection $who, Request $request): void {}
    public function message(WebSocket\Connection $who, string $data, bool $binary): void
    {
        $data === 'memory' ? ($this->exceed)() : $who->send($data);
    }
    public function close(WebSocket\Connection $who, int $code, string $reason): void {}
});
$server->run();
