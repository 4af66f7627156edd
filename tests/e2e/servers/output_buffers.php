<?php

declare(strict_types=1);

require getenv('SUPPORT');

use Sluice\Coroutine;
use Sluice\Http\{Options, Request, Response, Script};
use Sluice\{Timer, Worker};

use function Sluice\EndToEnd\{address, report, server};

// Ends with the script's output, in run().
ob_start(fn(string $text) => strtoupper($text), 0, 0);
echo "buffered at the boot\n";

/** Leaves buffers that PHP code may not remove. */
function leave(string $where, string $how = ''): void
{
    ob_start(function (string $text, int $flags) use ($where): string {
        report('ended', ['where' => $where, 'text' => $text, 'flags' => $flags]);
        return '';
    }, 0, 0);
    echo 'outer ';
    ob_start(fn(string $text) => $how === 'throw' ? throw new LogicException("of the buffer of $where") : "($text)", 0, 0);
    echo 'inner';
}

$server = server();
$processes = getenv('PROCESSES') === false ? null : (int) getenv('PROCESSES');
$site = $server->http(address(), new Script(__DIR__ . '/classic/buffers.php'), new Options(processes: $processes));
$site->get('/leave/{where}', function (Request $request, Response $response): void {
    $response->text((string) ob_get_level());
    leave($request->parameter('where'), $request->query('how', ''));
});
$site->get('/leave-and-throw', function (): void {
    leave('a handler that throws');
    throw new LogicException('of the handler');
});
$site->get('/timer', function (Request $request, Response $response): void {
    Timer::after(0, fn() => leave('a timer', $request->query('how', '')));
    $response->text((string) ob_get_level());
});
$site->get('/child', function (Request $request, Response $response): void {
    $task = Coroutine\spawn(fn() => leave('a child', $request->query('how', '')));
    try {
        $task->await();
        $said = 'nothing';
    } catch (LogicException $e) {
        $said = $e->getMessage();
    }
    $response->text($said . ', ' . ob_get_level());
});
$site->get('/capture', function (Request $request, Response $response): void {
    ob_start(null, 0, 0);
    $response->capture(function () use ($request): void {
        echo 'a';
        ob_start(fn(string $text) => strtoupper($text), 0, 0);
        echo 'b';
        if ($request->query('how') === 'throw') {
            throw new LogicException('not this page');
        }
    });
});
$server->onWorkerStart(fn(Worker $worker) => leave('onWorkerStart'));
$server->run();
