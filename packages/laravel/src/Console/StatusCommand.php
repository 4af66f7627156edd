<?php

declare(strict_types=1);

namespace Sluice\Laravel\Console;

final class StatusCommand extends ServerCommand
{
    protected $signature = 'sluice:status';
    protected $description = 'Show the processes of the server';

    protected function work(string $pidFile): int
    {
        $rows = [];
        foreach ($this->server($pidFile)->processes() as [$pid, $title, $kib, $seconds]) {
            $rows[] = [$pid, $title, \sprintf('%.1f MiB', $kib / 1024), \sprintf('%.2f s', $seconds)];
        }
        $this->table(['pid', 'process', 'memory', 'CPU'], $rows);
        return self::SUCCESS;
    }
}
