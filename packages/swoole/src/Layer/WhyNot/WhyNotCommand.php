<?php

declare(strict_types=1);

namespace Sluice\Swoole\WhyNot;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** What a project uses of Swoole, and whether it is the same here: `sluice why-not DIR`. */
final class WhyNotCommand extends Command
{
    public function __construct()
    {
        parent::__construct('why-not');
        $this->setDescription('Says what a project uses of Swoole, and of each whether it is the same, differs or is missing');
        $this->addArgument('folder', InputArgument::OPTIONAL, 'The project, which is not run', '.');
        $this->addOption('all', null, InputOption::VALUE_NONE, 'Also what is the same');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $folder = $input->getArgument('folder');
        if (!\is_string($folder) || !\file_exists($folder)) {
            $output->writeln('There is no such folder.');
            return 2;
        }
        $counts = ['same' => 0, 'differs' => 0, 'missing' => 0];
        $seen = [];
        foreach ((new Scanner())->scan($folder) as $finding) {
            if (!isset($seen[$finding->name])) {
                ++$counts[$finding->verdict->value];
            }
            $seen[$finding->name] = true;
            if ($finding->verdict !== Verdict::Same || $input->getOption('all') === true) {
                $how = $finding->how === '' ? '' : ": $finding->how";
                $output->writeln("{$finding->file}:$finding->line: {$finding->verdict->value}  $finding->name$how", OutputInterface::OUTPUT_RAW);
            }
        }
        $output->writeln("{$counts['same']} same, {$counts['differs']} differ, {$counts['missing']} missing");
        return $counts['missing'] > 0 ? 1 : 0;
    }
}
