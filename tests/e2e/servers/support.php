<?php

declare(strict_types=1);

// What the servers of the end-to-end tests share: tests/e2e/helpers/harness.py sets the environment that is read here.

namespace Sluice\EndToEnd;

use Sluice\{Http, Http2, Limits, Mode, Server, Tcp, Udp, WebSocket, Worker};

function address(int $index = 0): string
{
    return '127.0.0.1:' . explode(',', getenv('PORTS'))[$index];
}

/** A server as the test wants it, whose workers report that they have begun and ended. */
function server(mixed ...$options): Server
{
    $options += ['mode' => Mode::from(getenv('MODE')), 'workers' => (int) getenv('WORKERS'), 'limits' => new Limits()];
    $options['limits'] = patient($options['limits']);
    if ($options['mode'] === Mode::Process) {
        $options += ['reactors' => (int) getenv('REACTORS')];
    }
    $server = new Server(...$options);
    // A process for one request tells as well, under another name.
    $start = fn () => str_contains((string) file_get_contents('/proc/self/cmdline'), 'request process') ? 'process start' : 'start';
    $server->onWorkerStart(fn (Worker $worker) => report($start(), [
        'id' => $worker->id,
        'pid' => $worker->pid,
        'generation' => $worker->generation,
        'addresses' => $server->addresses(),
    ]));
    $server->onWorkerStop(fn (Worker $worker) => report('stop', ['id' => $worker->id, 'pid' => $worker->pid]));
    return $server;
}

/** These, but on a busy machine everybody may have to wait for long, and is to be served, unless the test says otherwise. */
function patient(Limits $limits): Limits
{
    return $limits->queueSeconds === (new Limits())->queueSeconds ? new Limits(...['queueSeconds' => 0.0] + get_object_vars($limits)) : $limits;
}

/**
 * The limits of these names, each in its group; a limit that several protocols have is set for all of them.
 *
 * @param array<string, int|float> $values
 */
function limits(array $values): Limits
{
    $own = array_filter($values, fn (string $name) => property_exists(Limits::class, $name), ARRAY_FILTER_USE_KEY);
    $known = $own;
    foreach (['http' => Http\Limits::class, 'http2' => Http2\Limits::class, 'webSocket' => WebSocket\Limits::class, 'tcp' => Tcp\Limits::class, 'udp' => Udp\Limits::class] as $group => $class) {
        $theirs = array_filter($values, fn (string $name) => property_exists($class, $name), ARRAY_FILTER_USE_KEY);
        $known += $theirs;
        $own[$group] = new $class(...$theirs);
    }
    return $known === [] || array_diff_key($values, $known) === [] ? new Limits(...$own) : throw new \Error('no such limit');
}

/** Tells the test something, as one line that no other process can break up. */
function report(string $event, array $fields = []): void
{
    $line = json_encode(['event' => $event] + $fields, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR) . "\n";
    file_put_contents(getenv('EVENTS'), $line, FILE_APPEND);
}

function worker(): array
{
    $worker = Worker::current();
    return ['id' => $worker->id, 'pid' => $worker->pid, 'generation' => $worker->generation];
}

function stats(Server $server): array
{
    return get_object_vars($server->stats());
}
