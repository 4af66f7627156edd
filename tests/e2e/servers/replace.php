<?php

// Says its process, and asks for another one in its place.

use Sluice\Http\{Request, Response};
use Sluice\{Mode, Server, Worker};

require getenv('SUPPORT');

$server = new Server(mode: Mode::from(getenv('MODE')), workers: (int) getenv('WORKERS'), reactors: 1);
$server->http('127.0.0.1:' . getenv('PORTS'), function (Request $request, Response $response): void {
    if ($request->path() === '/replace') {
        Worker::replace();
        Worker::replace();
        $response->write((string) getmypid());
        // What has begun is finished.
        Worker::waitForEnd(10.0);
        $response->end(Worker::isStopping() ? ' ended' : ' was left');
        return;
    }
    $response->text((string) getmypid());
});
try {
    Worker::replace();
} catch (Sluice\ServerException $exception) {
    error_log($exception->getMessage());
}
$server->run();
