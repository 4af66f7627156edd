<?php

declare(strict_types=1);

// Sends more than its clients take, and tells what became of it.

require getenv('SUPPORT');

use Sluice\Coroutine\CancelledError;
use Sluice\Http\{Request, Response};
use Sluice\{Limits, SlowClient, Tcp, WebSocket};
use Sluice\WebSocket\{Connection, Handler};

use function Sluice\EndToEnd\{address, report, server};

$server = server(limits: new Limits(
    queuedBytes: 1 << 20,
    highWaterBytes: 256 << 10,
    lowWaterBytes: 64 << 10,
    outBytes: 4 << 20,
    writeSeconds: (float) (getenv('WRITE_SECONDS') ?: 30.0),
));

/** What a stream has written so far, by its name. */
final class Written
{
    public static array $bytes = [];
}

/** A payload whose bytes say where in the whole they stand. */
function chunk(int $number, int $size): string
{
    return str_pad("$number ", $size, chr(97 + $number % 26));
}

function stream(string $name, int $bytes, int $size, callable $write): void
{
    $end = 'complete';
    try {
        for ($number = 0; Written::$bytes[$name] < $bytes; ++$number) {
            $delivery = $write(chunk($number, $size));
            if ($delivery->name === 'Dropped' || $delivery->name === 'Closed') {
                $end = $delivery->name;
                break;
            }
            Written::$bytes[$name] += $size;
        }
    } catch (CancelledError) {
        $end = 'cancelled';
    }
    report('streamed', ['name' => $name, 'end' => $end, 'bytes' => Written::$bytes[$name], 'peak' => memory_get_peak_usage()]);
}

$site = $server->http(address(0), function (Request $request, Response $response) use ($server): void {
    $name = $request->query('name', 'nobody');
    $bytes = (int) $request->query('bytes', '0');
    $size = (int) $request->query('size', '65536');
    Written::$bytes[$name] ??= 0;
    switch ($request->path()) {
        case '/stream':
            stream($name, $bytes, $size, $response->write(...));
            break;
        case '/events':
            $events = $response->events();
            stream($name, $bytes, $size, $events->send(...));
            break;
        case '/spawned':
            // This coroutine is not cancelled, for it is not the handler.
            Sluice\Coroutine\spawn(function () use ($response, $name, $bytes, $size): void {
                stream($name, $bytes, $size, $response->write(...));
                $response->end();
            });
            break;
        case '/at-once':
            $response->text(chunk(0, $bytes));
            report('streamed', ['name' => $name, 'end' => 'complete', 'bytes' => $bytes, 'peak' => 0]);
            break;
        case '/written':
            $response->json(Written::$bytes);
            break;
        case '/publish':
            for ($number = 0; $number < (int) $request->query('count'); ++$number) {
                $server->publish($request->query('topic'), chunk($number, $size), true);
            }
            $response->text('published');
            break;
        case '/subscribers':
            $response->json($server->subscribers($request->query('topic')));
            break;
        case '/send-many':
            $ids = array_map(intval(...), explode(',', $request->query('ids')));
            $counts = array_fill_keys($ids, 0);
            for ($number = 0; $number < (int) $request->query('count'); ++$number) {
                $failed = Connection::sendMany($ids, chunk($number, $size), true);
                foreach ($ids as $id) {
                    $counts[$id] += isset($failed[$id]) ? 0 : 1;
                }
            }
            report('sent-many', ['counts' => $counts]);
            $response->text('sent');
            break;
        default:
            $response->status(404)->text('no such page');
    }
});

final class Flood implements Handler
{
    public function open(Connection $who, Request $request): void
    {
        if ($request->query('topic') !== null) {
            $who->subscribe($request->query('topic'));
        }
        $who->send((string) $who->id);
    }

    /** "COUNT SIZE" */
    public function message(Connection $who, string $data, bool $binary): void
    {
        [$count, $size] = sscanf($data, '%d %d');
        $deliveries = ['Sent' => 0, 'Queued' => 0, 'Dropped' => 0, 'Closed' => 0];
        $queued = 0;
        $accepted = [];
        for ($number = 0; $number < $count; ++$number) {
            $delivery = $who->send(chunk($number, $size), true)->name;
            ++$deliveries[$delivery];
            if ($delivery === 'Sent' || $delivery === 'Queued') {
                $accepted[] = $number;
            }
            $queued = max($queued, $who->queuedBytes());
        }
        report('flooded', ['id' => $who->id, 'queued' => $queued, 'accepted' => $count > 1000 ? [] : $accepted] + $deliveries);
    }

    public function close(Connection $who, int $code, string $reason): void
    {
        report('closed', ['id' => $who->id, 'code' => $code, 'reason' => $reason]);
    }
}

foreach (SlowClient::cases() as $policy) {
    $site->webSocket('/' . $policy->name, new Flood(), new WebSocket\Options(slowClient: $policy));
}

final class TcpFlood implements Tcp\Handler
{
    public function open(Tcp\Connection $who): void {}

    public function message(Tcp\Connection $who, string $data): void
    {
        [$count, $size] = sscanf($data, '%d %d');
        $deliveries = ['Sent' => 0, 'Queued' => 0, 'Dropped' => 0, 'Closed' => 0];
        $queued = 0;
        $accepted = [];
        for ($number = 0; $number < $count; ++$number) {
            $delivery = $who->send(chunk($number, $size))->name;
            ++$deliveries[$delivery];
            if ($delivery === 'Sent' || $delivery === 'Queued') {
                $accepted[] = $number;
            }
            $queued = max($queued, $who->queuedBytes());
        }
        report('flooded', ['id' => $who->id, 'queued' => $queued, 'accepted' => $accepted] + $deliveries);
    }

    public function close(Tcp\Connection $who): void
    {
        report('closed', ['id' => $who->id]);
    }
}

$server->tcp(address(1), Tcp\Framing::line(), new TcpFlood());
$server->tcp(address(2), Tcp\Framing::line(), new TcpFlood(), slowClient: SlowClient::DropNewest);
$server->tcp(address(3), Tcp\Framing::line(), new TcpFlood(), slowClient: SlowClient::Close);

$server->run();
