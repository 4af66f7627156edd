<?php

declare(strict_types=1);

namespace Sluice\App;

/** The running server that a pid file names. The server locks the file while it runs, so an old file is not mistaken for a running server. */
final class RunningServer
{
    private function __construct(public readonly int $pid, public readonly string $pidFile) {}

    /**
     * The server that has locked this pid file.
     *
     * @throws \RuntimeException when no server runs
     */
    public static function of(string $pidFile): self
    {
        $pid = (int) @\file_get_contents($pidFile);
        if ($pid <= 1 || !self::isLocked($pidFile)) {
            throw new \RuntimeException("No server runs: $pidFile " . (\is_file($pidFile) ? 'is left over from one' : 'is not there'));
        }
        return new self($pid, $pidFile);
    }

    /**
     * The server of a project, whichever of its releases has started it.
     *
     * @param string $pidFile absolute
     * @throws \RuntimeException when no server runs
     */
    public static function ofProject(string $folder, string $pidFile): self
    {
        if (!self::isLocked($pidFile) && \str_starts_with($pidFile, "$folder/")) {
            foreach (Releases::beside($folder) as $release) {
                $other = $release . \substr($pidFile, \strlen($folder));
                if (self::isLocked($other)) {
                    return self::of($other);
                }
            }
        }
        return self::of($pidFile);
    }

    /** @throws \RuntimeException when the signal cannot be sent */
    public function signal(int $signal): void
    {
        if (!\posix_kill($this->pid, $signal)) {
            throw new \RuntimeException("The server (process $this->pid) cannot be signalled: " . \posix_strerror(\posix_get_last_error()));
        }
    }

    /** Waits until the server has ended; false when it has not within this time. */
    public function waitForEnd(float $seconds): bool
    {
        $deadline = \microtime(true) + $seconds;
        while (self::isLocked($this->pidFile)) {
            if (\microtime(true) > $deadline) {
                return false;
            }
            \usleep(20_000);
        }
        return true;
    }

    /**
     * The server's processes: the master and its descendants.
     *
     * @return list<array{int, string, int, float}> process id, title, KiB of resident memory, seconds of CPU time
     */
    public function processes(): array
    {
        $fields = $parents = [];
        foreach (\glob('/proc/[0-9]*') ?: [] as $folder) {
            $pid = (int) \basename($folder);
            $fields[$pid] = \explode(' ', (string) \preg_replace('/^.*\) /', '', (string) @\file_get_contents("$folder/stat")));
            $parents[$pid] = (int) ($fields[$pid][1] ?? 0);
        }
        $found = [];
        foreach ($fields as $pid => $its) {
            for ($ancestor = $pid; $ancestor > 1 && $ancestor !== $this->pid;) {
                $ancestor = $parents[$ancestor] ?? 0;
            }
            if ($ancestor !== $this->pid) {
                continue;
            }
            $folder = "/proc/$pid";
            $title = \trim(\str_replace("\0", ' ', (string) @\file_get_contents("$folder/cmdline")));
            \preg_match('/^VmRSS:\s+(\d+)/m', (string) @\file_get_contents("$folder/status"), $memory);
            $found[] = [$pid, $title, (int) ($memory[1] ?? 0), ((int) ($its[11] ?? 0) + (int) ($its[12] ?? 0)) / 100];
        }
        \sort($found);
        return $found;
    }

    /** The server locks by fcntl(2), which flock() does not see; /proc/locks lists such locks by the inode of their file. */
    private static function isLocked(string $pidFile): bool
    {
        \clearstatcache(true, $pidFile);
        $inode = @\fileinode($pidFile);
        return $inode !== false && \preg_match("/ POSIX +\\w+ +WRITE \\d+ \\w+:\\w+:$inode /", (string) @\file_get_contents('/proc/locks')) === 1;
    }
}
