<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\{Config, RunningServer};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('reload', 'Reloads the code of this folder\'s server; no request is lost')]
final class ReloadCommand extends ProjectCommand
{
    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        $server = RunningServer::ofProject($folder, $config->pidPath($folder));
        $server->signal(\SIGHUP);
        $output->writeln("The server (process $server->pid) reloads; its log says when it is done.");
        return self::SUCCESS;
    }
}
