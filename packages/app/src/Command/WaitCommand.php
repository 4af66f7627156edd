<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Admin\AdminClient;
use Sluice\App\Config;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\{InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('wait', 'Waits until this folder\'s server is ready, as its admin listener says')]
final class WaitCommand extends ProjectCommand
{
    private const PAUSE_US = 100_000;

    protected function configure(): void
    {
        parent::configure();
        $this->addOption('ready', null, InputOption::VALUE_NONE, 'until /readyz passes; without it: until the server is alive');
        $this->addOption('timeout', null, InputOption::VALUE_REQUIRED, 'seconds, 0 to 86400, after which the command fails', '60');
    }

    protected function options(): array
    {
        return ['pidFile', 'admin', 'adminToken'];
    }

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        $seconds = \filter_var($input->getOption('timeout'), \FILTER_VALIDATE_FLOAT);
        if ($seconds === false || $seconds < 0 || $seconds > 86400) {
            throw new \ValueError('The timeout must be 0 to 86400 seconds');
        }
        $client = AdminClient::of($config);
        $path = $input->getOption('ready') === true ? '/readyz' : '/livez';
        $deadline = \microtime(true) + $seconds;
        do {
            try {
                [$status, $body] = $client->get($path);
                if ($status === 401) {
                    throw new \ValueError('The admin listener wants another token: set SLUICE_ADMIN_TOKEN');
                }
                $why = $status === 200 ? null : self::reasons($body);
            } catch (\RuntimeException $error) {
                $why = $error->getMessage();
            }
            if ($why === null) {
                return self::SUCCESS;
            }
            \usleep(self::PAUSE_US);
        } while (\microtime(true) < $deadline);
        throw new \RuntimeException("The server is not ready after $seconds seconds: $why");
    }

    private static function reasons(string $body): string
    {
        $answer = \json_decode($body, true);
        $reasons = [];
        foreach (\is_array($answer) && \is_array($answer['checks'] ?? null) ? $answer['checks'] : [] as $check) {
            if (\is_array($check) && ($check['ok'] ?? true) === false && \is_string($check['name'] ?? null) && \is_string($check['reason'] ?? null)) {
                $reasons[] = "{$check['name']}: {$check['reason']}";
            }
        }
        return $reasons === [] ? \trim($body) : \implode('; ', $reasons);
    }
}
