<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use Sluice\Testing\TestServer;

/** A folder with an application, in which the command is called. */
final class Project
{
    public readonly string $folder;

    /** @param array<string, string> $files by path */
    public function __construct(array $files)
    {
        $this->folder = \sys_get_temp_dir() . '/sluice-app-' . \bin2hex(\random_bytes(6));
        foreach ($files as $path => $text) {
            @\mkdir(\dirname("$this->folder/$path"), recursive: true);
            \file_put_contents("$this->folder/$path", $text);
        }
    }

    /** @return list<string> */
    public static function command(string ...$arguments): array
    {
        // The autoloader finds the packages of this tree and the project's classes.
        return [TestServer::php(), '-d', 'auto_prepend_file=' . __DIR__ . '/autoload.php', \dirname(__DIR__) . '/bin/sluice', ...\array_values($arguments)];
    }

    /**
     * @param array<string, string> $environment
     * @return array{int, string} its status, and what it has printed
     */
    public function run(array $environment, string ...$arguments): array
    {
        return $this->runIn($this->folder, $environment, ...$arguments);
    }

    /**
     * @param array<string, string> $environment
     * @return array{int, string}
     */
    public function runIn(string $folder, array $environment, string ...$arguments): array
    {
        $output = "$this->folder/output";
        $streams = [['file', '/dev/null', 'r'], ['file', $output, 'w'], ['file', $output, 'a']];
        $process = \proc_open(['timeout', '30', ...self::command(...$arguments)], $streams, $pipes, $folder, $environment + \getenv());
        \assert($process !== false);
        $status = \proc_close($process);
        return [$status, (string) \file_get_contents($output)];
    }

    /** @param array<string, string> $environment */
    public function serve(array $environment = [], string ...$arguments): TestServer
    {
        return TestServer::startCommand(self::command('serve', ...$arguments), environment: $environment, folder: $this->folder);
    }

    public function __destruct()
    {
        \exec('rm -rf ' . \escapeshellarg($this->folder));
    }
}
