<?php

declare(strict_types=1);

namespace Sluice\App\Top;

/** The picture of a server: totals, and a line for each process. What is per second is what has come between two samples. */
final class Frame
{
    private const HEAD = ['PID', 'PROCESS', 'BOOT', 'CPU', 'MEMORY', 'REQ/S', 'IN FLIGHT', 'WAITING', 'HANDLED'];

    /**
     * The lines of the picture, none longer than $columns.
     *
     * @param int|null $rows the most lines; null: any number
     * @return list<string>
     */
    public static function lines(Sample $before, Sample $now, int $columns, ?int $rows = null): array
    {
        $seconds = \max(0.001, $now->seconds - $before->seconds);
        $lines = [...self::totals($before, $now, $seconds), ''];
        $table = [self::HEAD];
        foreach (self::sorted($now->processes) as $process) {
            $table[] = self::row($process, $before->process($process->pid), $seconds);
        }
        foreach (self::aligned($table) as $line) {
            $lines[] = $line;
        }
        $lines = \array_map(static fn(string $line) => \mb_strimwidth(\rtrim($line), 0, $columns, '…'), $lines);
        if ($rows !== null && \count($lines) > $rows) {
            $left = \count($lines) - $rows + 1;
            $lines = [...\array_slice($lines, 0, \max(0, $rows - 1)), "… and $left more processes"];
        }
        return $lines;
    }

    /** @return list<string> */
    private static function totals(Sample $before, Sample $now, float $seconds): array
    {
        $cpu = $kib = 0.0;
        foreach ($now->processes as $process) {
            $kib += $process->kib;
            $cpu += $process->cpuSeconds - ($before->process($process->pid)->cpuSeconds ?? $process->cpuSeconds);
        }
        $lines = [\sprintf('Sluice, master %d: %d processes, CPU %.0f%%, memory %s', $now->master, \count($now->processes), 100 * $cpu / $seconds, self::bytes($kib * 1024))];
        if ($now->reason !== null) {
            return [...$lines, $now->reason];
        }
        $total = static fn(string $name): int => $now->totals[$name] ?? 0;
        $rate = static fn(string $name): float => \max(0, $total($name) - ($before->totals[$name] ?? 0)) / $seconds;
        $lines[] = \sprintf(
            'messages %s/s (%s in all)   connections %s   in %s/s   out %s/s',
            self::number($rate('messagesReceived')),
            self::number($total('messagesReceived')),
            self::number($total('connections')),
            self::bytes($rate('bytesReceived')),
            self::bytes($rate('bytesSent')),
        );
        $lines[] = \sprintf(
            'coroutines %s (most %s)   stalls %s   received and not handled %s',
            self::number($total('coroutines')),
            self::number($total('peakCoroutines')),
            self::number($total('stalls')),
            self::bytes($total('arenaBytes')),
        );
        $lines[] = \sprintf(
            'waiting for clients %s   files being sent %s   bodies being read %s',
            self::bytes($total('queuedBytes')),
            self::number($total('openFiles')),
            self::number($total('bodyStreams')),
        );
        $known = ['workers', 'connections', 'messagesReceived', 'bytesReceived', 'bytesSent', 'coroutines', 'peakCoroutines', 'stalls', 'arenaBytes', 'pooledStacks',
            'lentBytes', 'compressionBytes', 'attachedBytes', 'subscriptionBytes', 'datagramsDropped',
            'queuedBytes', 'openFiles', 'bodyStreams', 'handshakes', 'temporaryFileBytes'];
        $more = [];
        foreach (\array_diff_key($now->totals, \array_flip($known)) as $name => $figure) {
            $words = \strtolower((string) \preg_replace('/[A-Z]/', ' $0', $name));
            $more[] = \str_ends_with($words, ' bytes') ? \substr($words, 0, -6) . ' ' . self::bytes($figure) : "$words " . self::number($figure);
        }
        return $more === [] ? $lines : [...$lines, \implode('   ', $more)];
    }

    /** @return list<string> */
    private static function row(Process $process, ?Process $before, float $seconds): array
    {
        $cpu = $before === null ? 0.0 : \max(0.0, $process->cpuSeconds - $before->cpuSeconds) / $seconds;
        $row = [(string) $process->pid, $process->name, '', \sprintf('%.0f%%', 100 * $cpu), self::bytes($process->kib * 1024)];
        $worker = $process->worker;
        if ($worker === null) {
            return [...$row, '', '', '', ''];
        }
        $row[2] = (string) $worker->generation;
        $handled = \max(0, $worker->handled - ($before->worker->handled ?? 0));
        return [...$row, self::number($before === null ? 0 : $handled / $seconds), self::number($worker->inFlight), self::number($worker->waiting), self::number($worker->handled)];
    }

    /**
     * The master and the reactor first, then workers, then the rest.
     *
     * @param list<Process> $processes
     * @return list<Process>
     */
    private static function sorted(array $processes): array
    {
        $rank = static fn(Process $process): array => [match (\strtok($process->name, ' ')) {
            'master' => 0,
            'reactor' => 1,
            'generation' => 2,
            'worker' => 3,
            default => 4,
        }, $process->worker->generation ?? 0, $process->worker->id ?? 0, $process->name, $process->pid];
        \usort($processes, static fn(Process $a, Process $b) => $rank($a) <=> $rank($b));
        return $processes;
    }

    /**
     * Columns of the same width; numbers stand to the right.
     *
     * @param list<list<string>> $table
     * @return list<string>
     */
    private static function aligned(array $table): array
    {
        $widths = [];
        foreach ($table as $row) {
            foreach ($row as $column => $cell) {
                $widths[$column] = \max($widths[$column] ?? 0, \mb_strwidth($cell));
            }
        }
        return \array_map(static fn(array $row) => \implode('  ', \array_map(
            static fn(string $cell, int $column) => $column === 1 ? \str_pad($cell, $widths[$column]) : \str_pad($cell, $widths[$column], ' ', \STR_PAD_LEFT),
            $row,
            \array_keys($row),
        )), $table);
    }

    private static function number(float $number): string
    {
        return match (true) {
            $number >= 1e9 => \sprintf('%.1fG', $number / 1e9),
            $number >= 1e6 => \sprintf('%.1fM', $number / 1e6),
            $number >= 1e4 => \sprintf('%.1fk', $number / 1e3),
            default => \sprintf('%.0f', $number),
        };
    }

    private static function bytes(float $bytes): string
    {
        return match (true) {
            $bytes >= 1 << 30 => \sprintf('%.1f GiB', $bytes / (1 << 30)),
            $bytes >= 1 << 20 => \sprintf('%.1f MiB', $bytes / (1 << 20)),
            $bytes >= 1 << 10 => \sprintf('%.1f KiB', $bytes / (1 << 10)),
            default => \sprintf('%.0f B', $bytes),
        };
    }
}
