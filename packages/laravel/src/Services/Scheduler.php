<?php

declare(strict_types=1);

namespace Sluice\Laravel\Services;

use Illuminate\Contracts\Console\Kernel;
use Illuminate\Foundation\Application;
use Sluice\Laravel\Applications;
use Sluice\Shared\Counter;
use Sluice\{Coroutine, Server, Service};

/** `schedule:run` at the beginning of each minute, in one process of the server, also over a reload. */
final class Scheduler
{
    /** The last minute for which the schedule has run: a successor goes on there. */
    private readonly Counter $last;

    /** @param int $minute how many seconds a minute has; tests have not the time for 60 */
    public function __construct(private readonly Applications $applications, private readonly int $minute = 60)
    {
        $this->last = new Counter('laravel.schedule');
    }

    /** Adds the scheduler to a server, as a service. */
    public function serve(Server $server, string $name = 'scheduler'): void
    {
        $server->service($name, $this->run(...));
    }

    public function run(Service $service): void
    {
        // The minute in which a server starts has begun already.
        $this->last->compareAndSet(0, $this->now());
        do {
            $now = $this->now();
            if ($this->last->get() < $now) {
                $this->last->set($now);
                // In a coroutine, so that a long run does not hold up the next minute.
                Coroutine\spawn(fn() => $this->applications->run(static fn(Application $app) => $app->make(Kernel::class)->call('schedule:run')));
            }
            $untilNext = ($now + 1) * $this->minute - \microtime(true);
        } while ($service->wait(\max(0.01, $untilNext)));
    }

    private function now(): int
    {
        return \intdiv(\time(), $this->minute);
    }
}
