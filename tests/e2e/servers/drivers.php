<?php

declare(strict_types=1);

require getenv('SUPPORT');
require __DIR__ . '/driver_rows.php';

use Sluice\Coroutine;
use Sluice\Coroutine\WaitGroup;
use Sluice\Http\{Request, Response};

use function Sluice\EndToEnd\{address, server};

use const Sluice\EndToEnd\ROWS;

const TOGETHER = 10;

$server = server();
$driver = Sluice\EndToEnd\RowDriver::chosen();
$storm = (object) ['stopped' => false, 'right' => 0, 'wrong' => 0, 'errors' => [], 'vague' => []];

/** Each coroutine has a transaction; all are open at one time, and every second one is rolled back. */
function transactions(Sluice\EndToEnd\RowDriver $driver): array
{
    $begun = new WaitGroup();
    $looked = new WaitGroup();
    $begun->add(TOGETHER);
    $looked->add(TOGETHER);
    $work = fn (int $n) => $driver->pool->use(function (object $db) use ($n, $driver, $begun, $looked): int {
        $driver->begin($db, $n);
        $begun->done();
        $begun->wait();
        $seen = $driver->seen($db);
        $looked->done();
        $looked->wait();
        $driver->end($db, $n % 2 === 0);
        return $seen;
    });
    return Coroutine\map(range(1, TOGETHER), $work, TOGETHER);
}

$server->http(address(), function (Request $request, Response $response) use ($driver, $storm): void {
    switch ($request->path()) {
        case '/fill':
            $driver->pool->use($driver->fill(...));
            $response->json(true);
            return;
        case '/rows':
            $begun = new WaitGroup();
            $begun->add(ROWS);
            $response->json(Coroutine\map(range(1, ROWS), function (int $n) use ($driver, $begun) {
                // No coroutine reads before all have begun.
                $begun->done();
                $begun->wait();
                return $driver->pool->use(fn (object $db) => $driver->read($db, $n));
            }, ROWS));
            return;
        case '/transactions':
            $response->json(['seen' => transactions($driver), 'left' => $driver->pool->use(
                fn (object $db) => $db instanceof Redis ? (int) $db->get('alone') : $driver->seen($db))]);
            return;
        case '/storm':
            // Reads again and again, whatever happens to the server, until it is told to stop.
            $expected = Coroutine\map(range(1, 100), fn (int $n) => $driver->pool->use(fn (object $db) => $driver->read($db, $n)), 100);
            Coroutine\map(range(1, 100), function (int $n) use ($driver, $storm, $expected): void {
                while (!$storm->stopped) {
                    try {
                        $row = $driver->pool->use(fn (object $db) => $driver->read($db, $n));
                        $row === $expected[$n - 1] ? ++$storm->right : ++$storm->wrong;
                    } catch (Throwable $e) {
                        $storm->errors[get_class($e)] = ($storm->errors[get_class($e)] ?? 0) + 1;
                        if (strlen($e->getMessage()) < 10 || $e instanceof Error) {
                            $storm->vague[] = (string) $e;
                        }
                    }
                    Coroutine\sleep(0.005);
                }
            }, 100);
            $response->json($storm);
            return;
        case '/progress':
            $response->json($storm);
            return;
        case '/stop':
            $storm->stopped = true;
            $response->json(true);
            return;
        case '/stats':
            $response->json($driver->pool->stats());
            return;
        case '/close':
            $driver->pool->close();
            $driver->open();
            gc_collect_cycles();
            $response->json(count(scandir('/proc/self/fd')));
            return;
    }
});

$server->run();
