<?php

declare(strict_types=1);

// One server with what the examples leave out: tasks, messages between workers, a process, ports of TCP and UDP, files, a table.

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Process;
use Swoole\Server\Port;
use Swoole\Table;
use Swoole\Timer;
use Swoole\WebSocket\Frame;
use Swoole\WebSocket\Server;

require __DIR__ . '/../../../../build/packages/vendor/autoload.php';

$port = (int) explode(':', (string) getenv('ADDRESS'))[1];
$server = new Server('127.0.0.1', $port, SWOOLE_PROCESS);
$server->set([
    'worker_num' => 2, 'task_worker_num' => 2, 'enable_static_handler' => true, 'document_root' => __DIR__ . '/public',
    'open_websocket_close_frame' => true, 'socket_buffer_size' => 1 << 20,
]);
$table = new Table(1024);
$table->column('value', Table::TYPE_INT);
$table->column('text', Table::TYPE_STRING, 200);
$table->create();

$lines = $server->listen('127.0.0.1', (int) getenv('TCP_PORT'), SWOOLE_SOCK_TCP);
assert($lines instanceof Port);
$lines->set(['open_eof_check' => true, 'package_eof' => "\n"]);
$lines->on('connect', fn(Server $server, int $fd) => $server->bind($fd, 77));
$lines->on('receive', function (Server $server, int $fd, int $reactor, string $data): void {
    $info = $server->getClientInfo($fd);
    $server->send($fd, json_encode(['got' => $data, 'uid' => $info['uid'] ?? null, 'ip' => $info['remote_ip'] ?? null, 'port' => $info['server_port'] ?? null]) . "\n");
    $server->close($fd);
});
$lines->on('close', fn() => $table->incr('closed', 'value'));

$datagrams = $server->listen('127.0.0.1', (int) getenv('UDP_PORT'), SWOOLE_SOCK_UDP);
assert($datagrams instanceof Port);
$datagrams->on('packet', fn(Server $server, string $data, array $client) => $server->sendto($client['address'], $client['port'], strrev($data)));

$process = new Process(function (Process $process) use ($table): void {
    while (true) {
        $text = $process->read();
        $table->set('process', ['text' => is_string($text) ? $text : '']);
    }
});
$server->addProcess($process);

$server->on('start', fn(Server $server) => $table->set('start', ['value' => $server->master_pid]));
$server->on('workerStart', function (Server $server, int $id) use ($table): void {
    $table->set("worker $id", ['value' => getmypid(), 'text' => $server->taskworker ? 'task' : 'event']);
});
$server->on('pipeMessage', fn(Server $server, int $from, mixed $message) => $table->set('message', ['value' => $from, 'text' => (string) json_encode([$message, $server->worker_id])]));
$server->on('task', function (Server $server, int $id, int $from, mixed $data): mixed {
    if ($data === 'die') {
        posix_kill((int) getmypid(), SIGKILL);
    }
    return ['done' => $data, 'from' => $from, 'worker' => $server->worker_id];
});
$server->on('finish', fn(Server $server, int $id, mixed $data) => $table->set('finish', ['value' => $id, 'text' => (string) json_encode($data)]));
$server->on('message', function (Server $server, Frame $frame): void {
    if ($frame->opcode === WEBSOCKET_OPCODE_CLOSE) {
        return;
    }
    $all = [];
    foreach ($server->connections as $fd) {
        $all[] = $server->isEstablished((int) $fd);
        if ($server->isEstablished((int) $fd)) {
            $server->push((int) $fd, $frame->data, $frame->opcode);
        }
    }
    if ($frame->data === 'flood') {
        for ($sent = 0; $server->push($frame->fd, str_repeat('x', 100_000)); ++$sent) {
            if ($sent > 10_000) {
                break;
            }
        }
        Swoole\Coroutine::sleep(0.01);
        error_log("flooded by $sent, error " . ($sent < 10_000 ? SWOOLE_ERROR_OUTPUT_BUFFER_OVERFLOW : 0));
    }
});
$server->on('request', function (Request $request, Response $response) use ($server, $table, $process): void {
    $path = $request->server['request_uri'] ?? '';
    $answer = match ($path) {
        '/row' => $table->get((string) ($request->get['key'] ?? '')),
        '/task' => ['id' => $server->task($request->get['data'] ?? null)],
        '/taskwait' => $server->taskwait($request->get['data'] ?? null, 5),
        '/taskmany' => $server->taskWaitMulti(['a' => 1, 'b' => 2], 5),
        '/taskco' => $server->taskCo([1, 'die'], 5),
        '/send' => $server->sendMessage(['a' => 1], 1 - $server->worker_id),
        '/self' => @$server->sendMessage('x', $server->worker_id),
        '/process' => $process->write('by the pipe'),
        '/timer' => (function () use ($table): int {
            Timer::after(1, fn() => $table->incr('timer', 'value', 5));
            return 1;
        })(),
        '/form' => ['post' => $request->post, 'file' => file_get_contents($request->files['f']['tmp_name'] ?? ''), 'name' => $request->files['f']['name'] ?? null, 'cookie' => $request->cookie],
        '/stats' => array_intersect_key($server->stats(), ['worker_num' => 1, 'task_worker_num' => 1]),
        '/worker' => $server->worker_id,
        default => null,
    };
    if ($path === '/parts') {
        $response->status(201);
        $response->cookie('a', 'b c', 0, '/x', '', true, true);
        $response->header('X-List', ['1', '2']);
        $response->write('one ');
        $response->write('two');
        $response->end();
        var_dump(@$response->end('again'), swoole_last_error() === SWOOLE_ERROR_HTTP_CONTEXT_UNAVAILABLE);
        return;
    }
    $response->end((string) json_encode($answer));
});
$server->start();
