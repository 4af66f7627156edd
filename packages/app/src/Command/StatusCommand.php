<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Admin\AdminClient;
use Sluice\App\{Config, RunningServer};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\{InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('status', 'Shows the processes of this folder\'s server')]
final class StatusCommand extends ProjectCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addOption('json', null, InputOption::VALUE_NONE, 'what the admin listener tells of the server, as JSON');
    }

    protected function options(): array
    {
        return ['pidFile', 'admin', 'adminToken'];
    }

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('json') === true) {
            $output->write(AdminClient::of($config)->read('/api/state'), false, OutputInterface::OUTPUT_RAW);
            return self::SUCCESS;
        }
        $table = (new Table($output))->setHeaders(['pid', 'process', 'memory', 'CPU']);
        foreach (RunningServer::ofProject($folder, $config->pidPath($folder))->processes() as [$pid, $title, $kib, $seconds]) {
            $table->addRow([(string) $pid, $title, \sprintf('%.1f MiB', $kib / 1024), \sprintf('%.2f s', $seconds)]);
        }
        $table->render();
        return self::SUCCESS;
    }
}
