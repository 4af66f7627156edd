<?php

declare(strict_types=1);

namespace Sluice\Laravel\Console;

final class ReloadCommand extends ServerCommand
{
    protected $signature = 'sluice:reload';
    protected $description = 'Have the server start anew with the code of now; no request is lost';

    protected function work(string $pidFile): int
    {
        $server = $this->server($pidFile);
        $server->signal(\SIGHUP);
        $this->info("The server $server->pid reloads; its log says when it has.");
        return self::SUCCESS;
    }
}
