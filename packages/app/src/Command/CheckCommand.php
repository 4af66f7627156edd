<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Machine;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('check', 'Checks the settings of PHP, the limits of this process and the kernel, and says what to change')]
final class CheckCommand extends Command
{
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $isFit = true;
        foreach (Machine::ofThisProcess()->findings() as $finding) {
            $sign = $finding->isFatal ? '<error>wrong</error>' : ($finding->advice === null ? '<info>good </info>' : '<comment>could be better</comment>');
            $output->writeln("$sign  $finding->what: $finding->value" . ($finding->advice === null ? '' : "\n       $finding->advice"));
            $isFit = $isFit && !$finding->isFatal;
        }
        return $isFit ? self::SUCCESS : self::FAILURE;
    }
}
