<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\{Config, RunningServer};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('stop', 'Has the server of this folder finish what has begun, and stop')]
final class StopCommand extends ProjectCommand
{
    /** More than a server takes by default, `Limits::$shutdownSeconds`, and what follows. */
    private const SECONDS = 60.0;

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        $server = RunningServer::of($config->pidPath($folder));
        $server->signal(\SIGTERM);
        if (!$server->waitForEnd(self::SECONDS)) {
            throw new \RuntimeException("The server $server->pid was told to stop, and has not within " . self::SECONDS . ' s');
        }
        $output->writeln('Stopped.');
        return self::SUCCESS;
    }
}
