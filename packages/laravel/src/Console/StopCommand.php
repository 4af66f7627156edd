<?php

declare(strict_types=1);

namespace Sluice\Laravel\Console;

final class StopCommand extends ServerCommand
{
    /** More than a server takes by default, `Limits::$shutdownSeconds`, and what follows. */
    private const SECONDS = 60.0;

    protected $signature = 'sluice:stop';
    protected $description = 'Have the server finish what has begun, and stop';

    protected function work(string $pidFile): int
    {
        $server = $this->server($pidFile);
        $server->signal(\SIGTERM);
        if (!$server->waitForEnd(self::SECONDS)) {
            throw new \RuntimeException("The server $server->pid was told to stop, and has not within " . self::SECONDS . ' s');
        }
        $this->info('Stopped.');
        return self::SUCCESS;
    }
}
