<?php

declare(strict_types=1);

namespace Sluice\Laravel\Tests;

use Sluice\Testing\TestServer;

/** A copy of the application in tests/app, with a database of its own. */
final class Application
{
    public readonly string $folder;

    public function __construct()
    {
        $this->folder = \sys_get_temp_dir() . '/sluice-laravel-' . \bin2hex(\random_bytes(6));
        \exec('cp -r ' . \escapeshellarg(__DIR__ . '/app') . ' ' . \escapeshellarg($this->folder));
        \symlink(\dirname(__DIR__, 3) . '/build/packages/vendor', "$this->folder/vendor");
        foreach (['bootstrap/cache', 'database', 'storage/framework/views', 'storage/framework/sessions', 'storage/framework/cache/data', 'storage/logs'] as $folder) {
            \mkdir("$this->folder/$folder", recursive: true);
        }
        \file_put_contents("$this->folder/file.txt", \str_repeat('0123456789', 30_000));
        $database = new \PDO("sqlite:$this->folder/database/database.sqlite");
        $database->exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, password TEXT, remember_token TEXT)');
        $database->exec("INSERT INTO users (name) VALUES ('anna'), ('ben')");
    }

    /** @param array<string, string> $environment */
    public function serve(string $mode = 'process', array $environment = []): TestServer
    {
        return TestServer::start(__DIR__ . '/server.php', $mode, $environment + ['APP' => $this->folder]);
    }

    public function __destruct()
    {
        \exec('rm -rf ' . \escapeshellarg($this->folder));
    }
}
