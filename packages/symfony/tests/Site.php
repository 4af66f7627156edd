<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests;

use Sluice\Testing\TestServer;

/** A copy of the application in tests/site, with a database of its own. */
final class Site
{
    public readonly string $folder;

    public function __construct()
    {
        $this->folder = \sys_get_temp_dir() . '/sluice-symfony-' . \bin2hex(\random_bytes(6));
        \exec('cp -r ' . \escapeshellarg(__DIR__ . '/site') . ' ' . \escapeshellarg($this->folder));
        \symlink(\dirname(__DIR__, 3) . '/build/packages/vendor', "$this->folder/vendor");
        \mkdir("$this->folder/var");
        \file_put_contents("$this->folder/file.txt", \str_repeat('0123456789', 3_000));
        $this->console('app:make-tables');
    }

    /** @throws \RuntimeException when the command fails */
    public function console(string $command): string
    {
        \exec("cd $this->folder && DATABASE_URL=" . \escapeshellarg($this->database()) . ' ' . TestServer::php() . " bin/console $command 2>&1", $output, $status);
        return $status === 0 ? \implode("\n", $output) : throw new \RuntimeException("$command ended with $status: " . \implode("\n", $output));
    }

    /** @param array<string, string> $environment */
    public function serve(string $mode = 'process', array $environment = []): TestServer
    {
        return TestServer::start(__DIR__ . '/site.php', $mode, $environment + ['APP' => $this->folder, 'DATABASE_URL' => $this->database()]);
    }

    public function __destruct()
    {
        \exec('rm -rf ' . \escapeshellarg($this->folder));
    }

    private function database(): string
    {
        return "sqlite:///$this->folder/var/data.sqlite";
    }
}
