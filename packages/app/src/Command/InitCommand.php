<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Releases;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\{InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('init', 'Writes sluice.php, a Dockerfile, a systemd unit and an example for continuous integration')]
final class InitCommand extends Command
{
    private const FILES = [
        'sluice.php' => 'how the application is served',
        'Dockerfile' => 'an image with the extension and the application',
        'sluice.service' => 'a unit for systemd',
        '.github/workflows/sluice.yml' => 'an example for continuous integration',
    ];

    protected function configure(): void
    {
        $this->addOption('force', null, InputOption::VALUE_NONE, 'replace existing files');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $folder = (string) \getcwd();
        // The unit has the link to the current release, so that a reload serves the next one.
        $served = Releases::nameOf($folder);
        $templates = \dirname(__DIR__, 2) . '/templates';
        foreach (self::FILES as $name => $what) {
            if (\file_exists("$folder/$name") && $input->getOption('force') !== true) {
                $output->writeln("kept     $name: it exists already (--force replaces it)");
                continue;
            }
            @\mkdir(\dirname("$folder/$name"), recursive: true);
            $text = \str_replace(['%folder%', '%name%'], [$served, \basename(\is_link($served) ? \dirname($served) : $served)], (string) \file_get_contents("$templates/" . \basename($name)));
            if (@\file_put_contents("$folder/$name", $text) === false) {
                $output->writeln("<error>$folder/$name cannot be written</error>");
                return self::FAILURE;
            }
            $output->writeln("written  $name: $what");
        }
        return self::SUCCESS;
    }
}
