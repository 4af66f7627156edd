<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Top\{Frame, Sample};
use Sluice\App\{Config, RunningServer};
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\{InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\{Cursor, Terminal};

#[AsCommand('top', 'Shows what this folder\'s server does: requests per second, CPU and memory of each process; q ends')]
final class TopCommand extends ProjectCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addOption('once', null, InputOption::VALUE_NONE, 'print one picture, of one interval, and end; so it is without a terminal, too');
        $this->addOption('interval', null, InputOption::VALUE_REQUIRED, 'seconds between two pictures, 0.1 to 3600', '1');
    }

    protected function work(string $folder, Config $config, InputInterface $input, OutputInterface $output): int
    {
        $seconds = \filter_var($input->getOption('interval'), \FILTER_VALIDATE_FLOAT);
        if ($seconds === false || $seconds < 0.1 || $seconds > 3600) {
            throw new \ValueError('The interval must be 0.1 to 3600 seconds');
        }
        $server = RunningServer::ofProject($folder, $config->pidPath($folder));
        if ($input->getOption('once') === true || !\stream_isatty(\STDOUT)) {
            $before = Sample::of($server);
            \usleep((int) ($seconds * 1e6));
            $output->writeln(Frame::lines($before, Sample::of($server), 1000), OutputInterface::OUTPUT_RAW);
            return self::SUCCESS;
        }
        return $this->watch($server, $seconds, $output);
    }

    private function watch(RunningServer $server, float $seconds, OutputInterface $output): int
    {
        $cursor = new Cursor($output);
        $isKeyboard = \stream_isatty(\STDIN);
        $mode = $isKeyboard ? \trim((string) \shell_exec('stty -g')) : '';
        if ($isKeyboard) {
            \shell_exec('stty -icanon -echo');
        }
        $output->write("\e[?1049h");
        $cursor->hide();
        // Whatever ends it, the terminal is as it was.
        $restore = static function () use ($cursor, $output, $mode): void {
            $output->write("\e[?1049l");
            $cursor->show();
            if ($mode !== '') {
                \shell_exec('stty ' . \escapeshellarg($mode));
            }
        };
        $isOver = false;
        $this->onSignals(static function () use (&$isOver): void {
            $isOver = true;
        });
        try {
            $before = Sample::of($server);
            while (!$isOver && !self::waitForEnd($seconds, $isKeyboard, $isOver)) {
                $now = Sample::of(RunningServer::of($server->pidFile));
                $terminal = new Terminal();
                $lines = Frame::lines($before, $now, $terminal->getWidth(), $terminal->getHeight() - 1);
                $output->write("\e[H" . \implode("\e[K\n", $lines) . "\e[K\n\e[J", false, OutputInterface::OUTPUT_RAW);
                $before = $now;
            }
        } finally {
            $restore();
        }
        return self::SUCCESS;
    }

    /** @param \Closure(): void $end */
    private function onSignals(\Closure $end): void
    {
        if (\extension_loaded('pcntl')) {
            \pcntl_async_signals(true);
            foreach ([\SIGINT, \SIGTERM] as $signal) {
                \pcntl_signal($signal, $end);
            }
        }
    }

    /** Waits, and is true when a key says that it is the end. */
    private static function waitForEnd(float $seconds, bool $isKeyboard, bool &$isOver): bool
    {
        $deadline = \microtime(true) + $seconds;
        while (!$isOver && ($left = $deadline - \microtime(true)) > 0) {
            if (!$isKeyboard) {
                \usleep((int) ($left * 1e6));
                continue;
            }
            $readable = [\STDIN];
            $none = null;
            if (@\stream_select($readable, $none, $none, (int) $left, (int) (\fmod($left, 1.0) * 1e6)) > 0 && \in_array(\fread(\STDIN, 1), ['q', 'Q', '', false], true)) {
                return true;
            }
        }
        return $isOver;
    }
}
