<?php

declare(strict_types=1);

namespace Sluice\App\Command;

use Sluice\App\Leaks\CheckedServer;
use Sluice\App\Machine;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\{InputArgument, InputInterface, InputOption};
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('check', 'Checks the settings of PHP, the limits of this process and the kernel; with --leaks, what requests leave behind in the application of this folder')]
final class CheckCommand extends Command
{
    /** More than the detector needs to tell caches that fill from values that grow, and memory from its allocator. */
    private const TIMES = 20;

    protected function configure(): void
    {
        $this->addOption('leaks', null, InputOption::VALUE_NONE, 'start the application, request each URL several times, and tell what has grown or stayed. '
            . 'The status is 0 without leaks, 1 with leaks, and 2 when the application cannot be checked');
        $this->addOption('times', null, InputOption::VALUE_REQUIRED, 'with --leaks: how many times each URL is requested, 4 to 100,000', (string) self::TIMES);
        $this->addArgument('url', InputArgument::IS_ARRAY | InputArgument::OPTIONAL, 'with --leaks: paths of the application, such as /cart?item=7', ['/']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('leaks') === true) {
            return $this->checkLeaks($input, $output);
        }
        $isFit = true;
        foreach (Machine::ofThisProcess()->findings() as $finding) {
            $sign = $finding->isFatal ? '<error>wrong</error>' : ($finding->advice === null ? '<info>good </info>' : '<comment>could be better</comment>');
            $output->writeln("$sign  $finding->what: $finding->value" . ($finding->advice === null ? '' : "\n       $finding->advice"));
            $isFit = $isFit && !$finding->isFatal;
        }
        return $isFit ? self::SUCCESS : self::FAILURE;
    }

    private function checkLeaks(InputInterface $input, OutputInterface $output): int
    {
        try {
            $times = \filter_var($input->getOption('times'), \FILTER_VALIDATE_INT);
            if ($times === false || $times < 4 || $times > 100_000) {
                throw new \ValueError('The option times must be 4 to 100000');
            }
            $paths = self::paths($input->getArgument('url'));
            $server = CheckedServer::start();
            $answers = \array_fill_keys($paths, []);
            for ($round = 0; $round < $times; ++$round) {
                foreach ($paths as $path) {
                    $status = $server->request($path);
                    $answers[$path][$status] = ($answers[$path][$status] ?? 0) + 1;
                }
            }
            $leaks = $server->stop();
        } catch (\RuntimeException | \ValueError $error) {
            $output->writeln("<error>{$error->getMessage()}</error>");
            return self::INVALID;
        }
        $isAnswered = true;
        foreach ($answers as $path => $counts) {
            $statuses = \implode(', ', \array_map(static fn(int $count, int $status) => "$count × " . ($status === 0 ? 'no answer' : $status), $counts, \array_keys($counts)));
            $output->writeln("requested  GET $path: $statuses", OutputInterface::OUTPUT_RAW);
            $isAnswered = $isAnswered && \array_filter(\array_keys($counts), static fn(int $status) => $status === 0 || $status >= 500) === [];
        }
        foreach ($leaks as $leak) {
            $output->writeln("leak       $leak", OutputInterface::OUTPUT_RAW);
        }
        if (!$isAnswered) {
            $output->writeln('<error>Not all requests were answered well: the check says nothing about those that were not.</error>');
            return self::INVALID;
        }
        $output->writeln($leaks === [] ? '<info>No leaks.</info>' : '<comment>' . \count($leaks) . (\count($leaks) === 1 ? ' leak.' : ' leaks.') . '</comment>');
        return $leaks === [] ? self::SUCCESS : self::FAILURE;
    }

    /**
     * @return list<string>
     * @throws \ValueError for something that is no URL
     */
    private static function paths(mixed $urls): array
    {
        $paths = [];
        foreach (\is_array($urls) ? $urls : [] as $url) {
            $parts = \is_string($url) && \preg_match('/[\x00-\x20\x7f]/', $url) === 0 ? \parse_url($url) : false;
            if ($parts === false || !\str_starts_with($parts['path'] ?? '/', '/')) {
                throw new \ValueError('A URL is a path such as /cart?item=7, ' . \json_encode($url) . ' given');
            }
            $paths[] = ($parts['path'] ?? '/') . (isset($parts['query']) ? "?$parts[query]" : '');
        }
        return $paths;
    }
}
