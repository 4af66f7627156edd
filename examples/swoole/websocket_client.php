<?php
// Sends 2,000 messages of 512 KiB to websocket_server.php, and prints how long it took.

use Swoole\Coroutine\Http\Client;

use function Swoole\Coroutine\run;

run(function () use ($argv) {
    $count = (int) ($argv[2] ?? 2000);
    $client = new Client('127.0.0.1', (int) ($argv[1] ?? 9502));
    if (!$client->upgrade('/')) {
        echo "No WebSocket: {$client->errMsg}\n";
        return;
    }
    $message = str_repeat('s', 512 * 1024);
    $client->push("messages:$count");
    $begin = microtime(true);
    for ($number = 0; $number < $count; $number++) {
        if (!$client->push($message)) {
            echo "push() has failed: {$client->errCode}\n";
            return;
        }
    }
    $answer = $client->recv();
    printf("%s in %.3f s\n", $answer->data, microtime(true) - $begin);
    $client->close();
});
