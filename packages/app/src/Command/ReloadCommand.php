<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\{Config, RunningServer};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('reload', 'Has the server of this folder start anew with the code of now; no request is lost')]
final class ReloadCommand extends ProjectCommand
{
    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        $server = RunningServer::of($config->pidPath($folder));
        $server->signal(\SIGHUP);
        $output->writeln("The server $server->pid reloads; its log says when it has.");
        return self::SUCCESS;
    }
}
