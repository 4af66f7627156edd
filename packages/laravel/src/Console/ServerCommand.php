<?php

declare(strict_types=1);

namespace Sluice\Laravel\Console;

use Illuminate\Console\Command;
use Illuminate\Contracts\Config\Repository;
use Sluice\App\RunningServer;

/** A command about the server of this application. */
abstract class ServerCommand extends Command
{
    public function handle(Repository $config): int
    {
        $pidFile = $config->get('sluice.pid_file');
        try {
            return $this->work(\is_string($pidFile) ? $pidFile : '');
        } catch (\RuntimeException | \ValueError $error) {
            $this->error($error->getMessage());
            return self::FAILURE;
        }
    }

    abstract protected function work(string $pidFile): int;

    /** @throws \RuntimeException when none runs */
    protected function server(string $pidFile): RunningServer
    {
        return RunningServer::ofProject($this->laravel->basePath(), $pidFile);
    }
}
