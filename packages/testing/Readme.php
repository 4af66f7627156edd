<?php

declare(strict_types=1);

namespace Sluice\Testing;

/**
 * Does what a page says, from its top to its bottom, in an empty folder, and compares what the commands print:
 *
 * - A block whose first line names it, `<?php // public/index.php` or `# config/routes.yaml`, is a file; other blocks are for reading.
 * - A console block has commands behind `$ `, and below each what it prints; `…` stands for anything. A command that ends in `&`
 *   goes on in the background until the end. `php` is PHP with the extension, Composer finds the packages of this tree, and 8080 becomes a
 *   port that is free.
 */
final class Readme
{
    private const DEADLINE_S = 120;

    private readonly string $folder;
    private readonly int $port;
    /** @var list<resource> */
    private array $background = [];

    private function __construct(private readonly string $page)
    {
        $this->folder = \sys_get_temp_dir() . '/sluice-readme-' . \bin2hex(\random_bytes(6));
        \mkdir("$this->folder/app", recursive: true);
        \mkdir("$this->folder/bin");
        \symlink(\PHP_BINARY, "$this->folder/bin/php");
        \mkdir("$this->folder/ini");
        $extension = \getenv('SLUICE_EXTENSION') ?: \dirname(__DIR__, 2) . '/build/release/sluice.so';
        \file_put_contents("$this->folder/ini/sluice.ini", "extension=$extension\n");
        \mkdir("$this->folder/composer");
        $this->port = TestServer::freePort();
        $this->offerPackages();
    }

    /**
     * @return int how many commands the page has
     * @throws \RuntimeException when one of them prints something else than the page says
     */
    public static function follow(string $page): int
    {
        $readme = new self($page);
        try {
            return $readme->run();
        } finally {
            $readme->end();
        }
    }

    private static function matches(string $expected, string $printed): bool
    {
        $pattern = \str_replace('…', '.*', \preg_quote(\trim($expected), '~'));
        return \preg_match("~\\A$pattern\\z~su", \trim($printed)) === 1;
    }

    private function run(): int
    {
        $text = \str_replace('8080', (string) $this->port, (string) \file_get_contents($this->page));
        \preg_match_all('/^```(\w+)\n(.*?)^```$/ms', $text, $blocks, \PREG_SET_ORDER);
        $done = 0;
        foreach ($blocks as [, $language, $block]) {
            if ($language !== 'console' && \preg_match('~\A(?:<\?php //|#|<!--) (\S+\.\S+)(?: -->)?\n~', $block, $name)) {
                @\mkdir(\dirname("$this->folder/app/$name[1]"), recursive: true);
                \file_put_contents("$this->folder/app/$name[1]", $block);
            } elseif ($language === 'console') {
                \preg_match_all('/^\$ (.*)\n((?:(?!\$ ).*\n)*)/m', $block, $commands, \PREG_SET_ORDER);
                foreach ($commands as [, $command, $expected]) {
                    $printed = $this->command($command);
                    if (!self::matches($expected, $printed)) {
                        throw new \RuntimeException("$command\nis to print\n{$expected}and has printed\n$printed{$this->log()}");
                    }
                    ++$done;
                }
            }
        }
        return $done;
    }

    private function command(string $command): string
    {
        $isBackground = \str_ends_with($command, '&');
        $words = ['bash', '-c', $isBackground ? 'exec ' . \rtrim($command, '& ') : $command];
        $errors = ['file', "$this->folder/log", 'a'];
        $environment = [
            'PATH' => "$this->folder/bin:" . \getenv('PATH'), 'PHP_INI_SCAN_DIR' => ":$this->folder/ini", 'COMPOSER_HOME' => "$this->folder/composer",
        ] + \getenv() + [
            'COMPOSER_CACHE_DIR' => \getenv('HOME') . '/.cache/composer', 'COMPOSER_ALLOW_SUPERUSER' => '1', 'COMPOSER_NO_INTERACTION' => '1',
        ];
        $process = \proc_open(['timeout', (string) self::DEADLINE_S, ...$words], [['file', '/dev/null', 'r'], $isBackground ? $errors : ['pipe', 'w'], $errors], $pipes, "$this->folder/app", $environment);
        if ($process === false) {
            throw new \RuntimeException("$command cannot be started");
        }
        if (!$isBackground) {
            $printed = (string) \stream_get_contents($pipes[1]);
            $status = \proc_close($process);
            if ($status !== 0) {
                throw new \RuntimeException("$command has ended with status $status and printed\n$printed{$this->log()}");
            }
            return $printed;
        }
        $this->background[] = $process;
        $deadline = \microtime(true) + self::DEADLINE_S;
        while (!$socket = @\stream_socket_client("tcp://127.0.0.1:$this->port", timeout: 1)) {
            if (!\proc_get_status($process)['running'] || \microtime(true) > $deadline) {
                throw new \RuntimeException("$command does not serve:{$this->log()}");
            }
            \usleep(20_000);
        }
        \fclose($socket);
        return '';
    }

    private function log(): string
    {
        return "\n" . (string) @\file_get_contents("$this->folder/log");
    }

    /** The packages of this tree, as if they were published: Composer prefers them to those that others have published. */
    private function offerPackages(): void
    {
        $repositories = [];
        $packages = \dirname(__DIR__);
        // A stand-in for a package that the registry may not have names its version itself.
        foreach ([...(\glob("$packages/*/composer.json") ?: []), ...(\glob("$packages/laravel/tests/stand-ins/*/composer.json") ?: [])] as $file) {
            $package = \json_decode((string) \file_get_contents($file), true);
            \assert(\is_array($package) && \is_string($package['name']));
            $versions = [$package['name'] => $package['version'] ?? '0.1.0'];
            $repositories[] = ['type' => 'path', 'url' => \dirname($file), 'options' => ['versions' => $versions]];
        }
        \file_put_contents("$this->folder/composer/config.json", \json_encode(['repositories' => $repositories], \JSON_THROW_ON_ERROR));
    }

    private function end(): void
    {
        foreach ($this->background as $process) {
            \proc_terminate($process);
            $deadline = \microtime(true) + self::DEADLINE_S;
            while (\proc_get_status($process)['running'] && \microtime(true) < $deadline) {
                \usleep(10_000);
            }
            \proc_close($process);
        }
        \exec('rm -rf ' . \escapeshellarg($this->folder));
    }
}
