<?php

declare(strict_types=1);

// A chat room: php -d extension=sluice examples/chat.php [address], then open http://127.0.0.1:9501/

use Sluice\Http\{Request, Response};
use Sluice\{Limits, Server, WebSocket};
use Sluice\WebSocket\{Connection, Handler};

$address = $argv[1] ?? (getenv('SLUICE_ADDRESS') ?: '127.0.0.1:9501');
$page = (string) file_get_contents(__DIR__ . '/chat.html');

$server = new Server(limits: new Limits(webSocket: new WebSocket\Limits(messageBytes: 16 * 1024)));

$site = $server->http($address, function (Request $request, Response $response) use ($page): void {
    if ($request->path() !== '/') {
        $response->status(404)->text("There is only the chat room, at /.\n");
        return;
    }
    $response->header('cache-control', 'no-cache')->html($page);
});

// The server keeps no list of people: a browser that enters says hello to the room, and the others answer "here". So any worker can
// run a handler, and a worker may end at any time.
$site->webSocket('/chat', new class implements Handler {
    public function open(Connection $who, Request $request): void
    {
        $who->send(json_encode(['type' => 'welcome', 'from' => (string) $who->id], JSON_THROW_ON_ERROR));
        $who->subscribe('room');
    }

    public function message(Connection $who, string $data, bool $binary): void
    {
        $message = json_decode($data, true);
        if (!is_array($message)) {
            $who->close(1008, 'Send JSON objects.');
            return;
        }
        // The sender's id is that of the connection, whatever the message claims.
        $json = (string) json_encode(['from' => (string) $who->id] + $message, JSON_PARTIAL_OUTPUT_ON_ERROR);
        $to = $message['to'] ?? null;
        is_numeric($to) ? Connection::fromId((int) $to)->send($json) : $who->publish('room', $json);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        $who->publish('room', json_encode(['type' => 'gone', 'from' => (string) $who->id], JSON_THROW_ON_ERROR));
    }
});

$server->run();
