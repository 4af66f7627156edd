<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\{Config, RunningServer};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('stop', 'Stops this folder\'s server after it has finished what has begun')]
final class StopCommand extends ProjectCommand
{
    /** How long to wait for the end; a server takes about `Limits::$shutdownSeconds`, by default 10. */
    private const SECONDS = 60.0;

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        $server = RunningServer::ofProject($folder, $config->pidPath($folder));
        $server->signal(\SIGTERM);
        if (!$server->waitForEnd(self::SECONDS)) {
            throw new \RuntimeException("The server (process $server->pid) has not stopped within " . self::SECONDS . ' s of SIGTERM');
        }
        $output->writeln('Stopped.');
        return self::SUCCESS;
    }
}
