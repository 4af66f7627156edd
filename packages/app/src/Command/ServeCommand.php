<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Dev\DevServer;
use Sluice\App\{Config, Finder, PhpSettings};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\{InputArgument, InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('serve', 'Serves the application in this folder until it is stopped')]
final class ServeCommand extends ProjectCommand
{
    private ?\Throwable $error = null;

    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('script', InputArgument::OPTIONAL, 'a folder that is served as nginx and php-fpm serve it, or a script that makes and runs a Sluice\Server; without it the command searches for the application');
        $this->addOption('dev', null, InputOption::VALUE_NONE, 'for development: reloads and refreshes browsers when files change, shows errors as pages, looks for leaks');
        $this->addOption('no-leaks', null, InputOption::VALUE_NONE, 'with --dev: do not look for leaks, so that a worker handles several requests at a time');
    }

    protected function options(): array
    {
        return \array_keys(Config::OPTIONS);
    }

    /** In development an error in sluice.php is shown as other errors are, at the address that the server has. */
    protected function config(string $folder, array $options, InputInterface $input): Config
    {
        try {
            return parent::config($folder, $options, $input);
        } catch (\Throwable $error) {
            $this->error = $error;
            return ($input->getOption('dev') === true ? DevServer::lastConfig() : null) ?? throw $error;
        }
    }

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        if (!\extension_loaded('sluice')) {
            throw new \RuntimeException('The extension sluice is not loaded: build it, and put "extension=sluice" into php.ini');
        }
        // The console's own handler would take the exceptions of scripts, and leave their clients an empty page.
        \set_exception_handler(null);
        $script = $input->getArgument('script');
        $isDev = $input->getOption('dev') === true;
        if (!$isDev) {
            PhpSettings::apply($config->php);
        }
        if (\is_string($script) && \is_dir($script)) {
            if ($isDev) {
                throw new \RuntimeException('--dev is for applications that this command finds, not for a folder');
            }
            Finder::folder($script, $config)->serve($folder);
            return self::SUCCESS;
        }
        if (\is_string($script)) {
            if ($isDev) {
                throw new \RuntimeException("--dev is for applications that this command finds. The script $script makes its own server: let it call \$server->watch()");
            }
            if (!\is_file($script)) {
                throw new \RuntimeException("There is no script and no folder $script");
            }
            (static fn(): mixed => require $script)();
            return self::SUCCESS;
        }
        if ($isDev) {
            (new DevServer($folder, $config, $input->getOption('no-leaks') !== true))->run($this->error);
            return self::SUCCESS;
        }
        (new Finder($folder, $config))->find()->serve($folder);
        return self::SUCCESS;
    }
}
