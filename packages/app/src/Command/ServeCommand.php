<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\{Config, Finder, PhpSettings};
use Sluice\{Mode, Server};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\{InputArgument, InputInterface};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('serve', 'Serves the application in this folder until it is stopped')]
final class ServeCommand extends ProjectCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('script', InputArgument::OPTIONAL, 'a script that makes and runs a Sluice\Server; without it the command searches for the application');
    }

    protected function options(): array
    {
        return \array_keys(Config::OPTIONS);
    }

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        if (!\extension_loaded('sluice')) {
            throw new \RuntimeException('The extension sluice is not loaded: build it, and put "extension=sluice" into php.ini');
        }
        PhpSettings::apply($config->php);
        $script = $input->getArgument('script');
        if (\is_string($script)) {
            if (!\is_file($script)) {
                throw new \RuntimeException("The script $script does not exist");
            }
            (static fn(): mixed => require $script)();
            return self::SUCCESS;
        }
        $handler = (new Finder($folder, $config))->handler();
        $server = new Server(
            Mode::from($config->mode),
            workers: $config->workers,
            limits: $config->limits,
            pidFile: $config->pidPath($folder),
            logFile: $config->logFile,
        );
        $server->http($config->address, $handler, limits: $config->httpLimits);
        $server->run();
        return self::SUCCESS;
    }
}
