<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Admin\Scrape;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\{InputArgument, InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('diff', 'Compares two texts of /metrics: which routes have become slower, and by how much')]
final class DiffCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('before', InputArgument::REQUIRED, 'a file with the text of /metrics');
        $this->addArgument('after', InputArgument::REQUIRED, 'a later one');
        $this->addOption('baseline', null, InputOption::VALUE_REQUIRED, 'a text from before the first: then only what came between it and "before" is compared with what came between "before" and "after"');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        try {
            $before = self::read($input->getArgument('before'));
            $after = self::read($input->getArgument('after'))->since($before);
            $baseline = $input->getOption('baseline');
            $before = $baseline === null ? $before : $before->since(self::read($baseline));
        } catch (\RuntimeException | \ValueError $error) {
            $output->writeln("<error>{$error->getMessage()}</error>");
            return self::FAILURE;
        }
        $rows = [];
        foreach (\array_keys($after->routes) as $route) {
            $now = $after->mean($route);
            if ($now === null) {
                continue;
            }
            $then = $before->mean($route);
            $rows[] = [$then === null ? \INF : $now - $then, [
                $route, (string) $after->routes[$route]['count'], self::time($then), self::time($now),
                $then === null || $then <= 0 ? 'new' : \sprintf('%+.0f %%', ($now / $then - 1) * 100),
                self::time($before->percentile($route, 0.95)), self::time($after->percentile($route, 0.95)),
            ]];
        }
        \usort($rows, static fn(array $one, array $other): int => $other[0] <=> $one[0]);
        (new Table($output))->setHeaders(['route', 'requests', 'mean before', 'mean after', 'change', 'p95 before', 'p95 after'])->setRows(\array_column($rows, 1))->render();
        return self::SUCCESS;
    }

    private static function read(mixed $file): Scrape
    {
        $text = \is_string($file) ? @\file_get_contents($file) : false;
        return $text === false ? throw new \RuntimeException('There is no file ' . (\is_string($file) ? $file : '')) : Scrape::of($text);
    }

    private static function time(?float $seconds): string
    {
        return $seconds === null ? '–' : ($seconds === \INF ? '> 10 s' : \sprintf('%.1f ms', $seconds * 1000));
    }
}
