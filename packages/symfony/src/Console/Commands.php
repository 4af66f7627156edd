<?php

declare(strict_types=1);

namespace Sluice\Symfony\Console;

use Sluice\{Coroutine, Server, Service, Timer};
use Sluice\Symfony\Kernels;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Component\Console\Input\StringInput;
use Symfony\Component\Console\Output\ConsoleOutput;
use Symfony\Component\HttpKernel\KernelInterface;

/**
 * Commands of the application's console as services of the server, and at the times of a crontab: each runs in a kernel of its own.
 *
 * @internal
 */
final class Commands
{
    public function __construct(private readonly Kernels $kernels) {}

    /**
     * A command that runs as long as the server, such as `messenger:consume async`: it is started again when it has ended.
     *
     * @throws \ValueError for a name that cannot be, or that another service has
     */
    public function serve(Server $server, string $name, string $command, int $processes): void
    {
        $server->service($name, fn() => $this->run($name, $command), $processes);
    }

    /**
     * A command that runs at certain times, in one process of the server.
     *
     * @throws \ValueError for an expression or a time zone that cannot be
     */
    public function at(string $expression, string $command, ?string $timeZone): void
    {
        Timer::cron($expression, fn() => $this->run($expression, $command), $timeZone);
    }

    /** @throws \RuntimeException when the command fails */
    private function run(string $name, string $command): void
    {
        $kernel = $this->kernels->make();
        $application = new Application($kernel);
        $application->setAutoExit(false);
        $stop = Coroutine\spawn(static function () use ($application): void {
            while (Service::current()?->wait(1e9));
            // As `kill -TERM` of bin/console does: messenger:consume finishes its message, other commands end. One that has not begun to listen goes on.
            try {
                $application->getSignalRegistry()->handle(\SIGTERM);
            } catch (\TypeError) {
            }
        });
        try {
            $status = $application->run(new StringInput($command), new ConsoleOutput());
        } finally {
            $stop->cancel();
            $kernel->shutdown();
        }
        if ($status !== 0) {
            throw new \RuntimeException("The command \"$command\" ($name) has ended with status $status");
        }
    }
}
