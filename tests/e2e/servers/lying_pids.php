<?php

declare(strict_types=1);

// A worker that says of itself that it is another process: to the master, and in the memory that all share.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\{Limits, WorkerStats};

use function Sluice\EndToEnd\{address, report, server};

/** The cells of workers are among the first bytes: src/server/seam/shared_layout.h. */
const CELLS = 1 << 20;
/** Of src/server/seam/control.h, and that the message follows. */
const FORKED = "\0\x0b", EXITED = "\0\x0c";

/** The worker's channel to the master: the first of its Unix sockets for whole messages. */
function control(): mixed
{
    preg_match_all('/^\S+ \S+ \S+ \S+ 0005 \S+ +(\d+)/m', file_get_contents('/proc/net/unix'), $found);
    for ($fd = 3;; ++$fd) {
        $link = @readlink("/proc/self/fd/$fd");
        if (sscanf((string) $link, 'socket:[%d]', $inode) === 1 && in_array((string) $inode, $found[1], true)) {
            return fopen("php://fd/$fd", 'wb');
        }
    }
}

function memory(): mixed
{
    for ($fd = 3; !str_starts_with((string) @readlink("/proc/self/fd/$fd"), '/memfd:sluice '); ++$fd);
    return fopen("php://fd/$fd", 'r+b');
}

/** Where this worker's process id stands in that memory. */
function place_of_pid(mixed $memory): int
{
    $cells = stream_get_contents($memory, CELLS, 0);
    for ($place = -1; ($place = strpos($cells, pack('V', getmypid()), $place + 1)) !== false;) {
        if ($place % 4 === 0) {
            return $place;
        }
    }
    throw new LogicException('this process id stands nowhere');
}

$server = server(limits: new Limits(shutdownSeconds: 1.0));
$server->http(address(), function (Request $request, Response $response): void {
    switch ($request->path()) {
        case '/lie':
            $pid = (int) $request->query('pid');
            $memory = memory();
            fseek($memory, place_of_pid($memory));
            fwrite($memory, pack('V', $pid));
            $master = control();
            stream_set_write_buffer($master, 0);
            fwrite($master, FORKED . pack('VV', 0, $pid));
            fwrite($master, EXITED . pack('VVV', 0, $pid, 0));
            $response->json(array_map(fn (WorkerStats $one) => $one->pid, WorkerStats::ofServer((int) $request->query('master'))));
            return;
        case '/spin':
            report('spinning');
            while (true);
        default:
            $response->text((string) getmypid());
    }
});
$server->run();
