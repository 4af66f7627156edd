<?php

declare(strict_types=1);

// Waits with many coroutines for a server that never answers: php stalled.php <address> <coroutines> <seconds>
// Prints the CPU seconds that this took, as JSON.

use Sluice\Coroutine;

function cpu_seconds(): float
{
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'] + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
}

[, $address, $count, $seconds] = $argv;
Coroutine\run(function () use ($address, $count, $seconds): void {
    $tasks = [];
    for ($i = 0; $i < $count; $i++) {
        $tasks[] = Coroutine\spawn(function () use ($address): void {
            $stream = stream_socket_client("tcp://$address", timeout: 60);
            fwrite($stream, "GET / HTTP/1.0\r\n\r\n");
            fread($stream, 1);
        });
    }
    Coroutine\sleep(0.5);
    $before = cpu_seconds();
    Coroutine\sleep((float) $seconds);
    echo json_encode(['cpu_s' => cpu_seconds() - $before]), "\n";
    foreach ($tasks as $task) {
        $task->cancel();
    }
});
