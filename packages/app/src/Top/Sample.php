<?php

declare(strict_types=1);

namespace Sluice\App\Top;

use Sluice\App\RunningServer;
use Sluice\{ServerException, Stats, WorkerStats};

/** What a server and its processes have come to at one moment. */
final class Sample
{
    /**
     * @param float $seconds when, by the monotonic clock
     * @param array<string, int> $totals figures of the whole server by name; none when they cannot be read
     * @param list<Process> $processes
     * @param string|null $reason why there are no figures
     */
    public function __construct(
        public readonly float $seconds,
        public readonly int $master,
        public readonly array $totals,
        public readonly array $processes,
        public readonly ?string $reason = null,
    ) {}

    public static function of(RunningServer $server): self
    {
        $totals = $workers = [];
        $reason = null;
        try {
            if (!\extension_loaded('sluice')) {
                throw new \RuntimeException('the extension sluice is not loaded');
            }
            $totals = self::figures(Stats::ofServer($server->pid));
            foreach (WorkerStats::ofServer($server->pid) as $worker) {
                $workers[$worker->pid] = $worker;
            }
        } catch (ServerException | \RuntimeException $error) {
            $reason = $error->getMessage();
        }
        $processes = [];
        foreach ($server->processes() as [$pid, $title, $kib, $cpu]) {
            $processes[] = new Process($pid, self::name($title), $kib, $cpu, $workers[$pid] ?? null);
        }
        return new self(\hrtime(true) / 1e9, $server->pid, $totals, $processes, $reason);
    }

    /** The process of this id, if it was there. */
    public function process(int $pid): ?Process
    {
        foreach ($this->processes as $process) {
            if ($process->pid === $pid) {
                return $process;
            }
        }
        return null;
    }

    /** @return array<string, int> */
    private static function figures(Stats $stats): array
    {
        $figures = [];
        foreach (\get_object_vars($stats) as $name => $figure) {
            $figures[(string) $name] = \is_int($figure) ? $figure : 0;
        }
        return $figures;
    }

    /** `worker 0` of `sluice: worker 0 of /srv/app/vendor/bin/sluice serve`. */
    private static function name(string $title): string
    {
        return \preg_match('/^sluice: (.*?)(?: of .*)?$/', $title, $found) === 1 ? $found[1] : $title;
    }
}
