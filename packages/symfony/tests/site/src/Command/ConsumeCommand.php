<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\{Command, SignalableCommandInterface};
use Symfony\Component\Console\Input\{InputArgument, InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\DependencyInjection\Attribute\Autowire;

/** Consumes files as messenger:consume consumes messages: until it is told to stop, or has had enough. */
#[AsCommand('app:consume')]
final class ConsumeCommand extends Command implements SignalableCommandInterface
{
    private bool $isStopping = false;

    public function __construct(private readonly Connection $database, #[Autowire('%kernel.project_dir%')] private readonly string $project)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->addArgument('folder', InputArgument::REQUIRED)->addOption('limit', mode: InputOption::VALUE_REQUIRED, default: '0');
    }

    public function getSubscribedSignals(): array
    {
        return [\SIGTERM];
    }

    public function handleSignal(int $signal, int|false $previousExitCode = 0): int|false
    {
        $this->isStopping = true;
        return false;
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $folder = "$this->project/{$input->getArgument('folder')}";
        \file_put_contents("$folder/began", \getmypid() . "\n", \FILE_APPEND);
        for ($done = 0; !$this->isStopping && $done < ((int) $input->getOption('limit') ?: \PHP_INT_MAX);) {
            foreach (\glob("$folder/*.job") ?: [] as $job) {
                $this->database->fetchOne('SELECT COUNT(*) FROM notes');
                // The other process may have been quicker.
                if (!@\rename($job, "$job.taken")) {
                    continue;
                }
                $says = \file_get_contents("$job.taken");
                if ($says === 'fails') {
                    return self::FAILURE;
                }
                // A message that has begun is finished, also when the server stops.
                \usleep($says === 'long' ? 300_000 : 0);
                \file_put_contents("$folder/done", \basename($job, '.job') . "\n", \FILE_APPEND);
                ++$done;
            }
            \usleep(10_000);
        }
        $output->writeln("consumed $done");
        return self::SUCCESS;
    }
}
