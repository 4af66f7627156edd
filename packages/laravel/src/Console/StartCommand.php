<?php

declare(strict_types=1);

namespace Sluice\Laravel\Console;

use Illuminate\Console\Command;
use Sluice\App\{Config, PhpSettings};
use Sluice\Laravel\ApplicationServer;
use Symfony\Component\Console\Input\InputOption;

final class StartCommand extends Command
{
    protected $name = 'sluice:start';
    protected $description = 'Serve the application, until it is stopped';

    protected function configure(): void
    {
        foreach (ApplicationServer::OPTIONS as $name => $description) {
            $this->addOption($name, null, InputOption::VALUE_REQUIRED, $description);
        }
    }

    public function handle(): int
    {
        if (!\extension_loaded('sluice') || !\extension_loaded('pcntl')) {
            $this->error('The extensions sluice and pcntl are needed: build the one, and put "extension=sluice" into php.ini');
            return self::FAILURE;
        }
        $options = \array_filter(\array_intersect_key($this->options(), ApplicationServer::OPTIONS), static fn(mixed $value) => $value !== null);
        try {
            $settings = Config::of($this->laravel->basePath(), [], self::environment())->php;
        } catch (\ValueError $error) {
            $this->error($error->getMessage());
            return self::FAILURE;
        }
        $script = \dirname(__DIR__, 2) . '/bin/serve.php';
        // This process becomes the server, with opcache, with the options that PHP was started with, and without the variables of .env: a reload reads that file anew.
        \pcntl_exec(\PHP_BINARY, [...PhpSettings::lacking($settings), ...self::phpOptions(), $script, $this->laravel->basePath(), \json_encode($options, \JSON_THROW_ON_ERROR)], self::environment());
        $this->error('PHP cannot be started: ' . \pcntl_strerror(\pcntl_get_last_error()));
        return self::FAILURE;
    }

    /** @return list<string> what stands in front of the script: `-d extension=sluice` and the like */
    private static function phpOptions(): array
    {
        $words = \explode("\0", (string) \file_get_contents('/proc/self/cmdline'));
        $arguments = $_SERVER['argv'] ?? [];
        $place = \array_search(\is_array($arguments) ? $arguments[0] ?? '' : '', $words, true);
        return $place === false ? [] : \array_slice($words, 1, $place - 1);
    }

    /** @return array<string, string> as this process was given it */
    private static function environment(): array
    {
        $environment = [];
        foreach (\explode("\0", \rtrim((string) \file_get_contents('/proc/self/environ'), "\0")) as $line) {
            [$name, $value] = \explode('=', $line, 2) + [1 => ''];
            $environment[$name] = $value;
        }
        return $environment;
    }
}
