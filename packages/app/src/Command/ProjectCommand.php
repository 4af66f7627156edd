<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Config;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\{InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

/** A command for the project in the current folder. */
abstract class ProjectCommand extends Command
{
    protected function configure(): void
    {
        foreach ($this->options() as $name) {
            $this->addOption(self::kebab($name), null, InputOption::VALUE_REQUIRED, Config::OPTIONS[$name]);
        }
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        try {
            $folder = (string) \getcwd();
            $options = [];
            foreach ($this->options() as $name) {
                $value = $input->getOption(self::kebab($name));
                $options[$name] = \is_string($value) ? $value : null;
            }
            return $this->work($folder, $this->config($folder, $options, $input), $input, $output);
        } catch (\RuntimeException | \ValueError $error) {
            $output->writeln("<error>{$error->getMessage()}</error>");
            return self::FAILURE;
        }
    }

    /** @return list<key-of<Config::OPTIONS>> the names in Config::OPTIONS that are options of this command */
    protected function options(): array
    {
        return ['pidFile'];
    }

    /**
     * @param array<string, string|null> $options of the command line
     * @throws \ValueError when it is not right
     */
    protected function config(string $folder, array $options, InputInterface $input): Config
    {
        return Config::of($folder, $options, \getenv());
    }

    abstract protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int;

    private static function kebab(string $name): string
    {
        return \strtolower((string) \preg_replace('/[A-Z]/', '-$0', $name));
    }
}
