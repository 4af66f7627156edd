<?php

declare(strict_types=1);

// What bench/swoole.php does, by Sluice's own API: php swoole_native.php <address> process|base <port of MariaDB>

use Sluice\Http\{Request, Response};
use Sluice\{Mode, Server};
use Sluice\WebSocket\{Connection, Handler};

$mode = Mode::from($argv[2]);
$server = new Server(mode: $mode, workers: 1, reactors: $mode === Mode::Process ? 1 : null);
$site = $server->http($argv[1], function (Request $request, Response $response) use ($argv): void {
    if ($request->path() !== '/tables') {
        $response->text('hello world');
        return;
    }
    $db = new mysqli('127.0.0.1', 'sluice', 'secret', 'test', (int) $argv[3]);
    $response->json($db->query('SHOW TABLES')->fetch_all(MYSQLI_ASSOC));
    $db->close();
});
$handler = new class implements Handler {
    /** @var array<int, array{int, int}> messages and bytes of each connection */
    private array $received = [];
    /** @var array<int, bool> */
    private array $echoes = [];

    public function open(Connection $who, Request $request): void
    {
        $this->received[$who->id] = [0, 0];
        $this->echoes[$who->id] = $request->path() === '/echo';
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        if ($this->echoes[$who->id]) {
            $who->send($data, $binary);
            return;
        }
        if (!$binary) {
            [$messages, $bytes] = $this->received[$who->id];
            $who->send(json_encode(['messages' => $messages, 'bytes' => $bytes, 'worker' => getmypid()]));
            return;
        }
        $this->received[$who->id][0]++;
        $this->received[$who->id][1] += strlen($data);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        unset($this->received[$who->id], $this->echoes[$who->id]);
    }
};
$site->webSocket('/sink', $handler);
$site->webSocket('/echo', $handler);
$server->run();
