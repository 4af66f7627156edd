<?php

declare(strict_types=1);

namespace Sluice\Laravel\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;

/** Laravel Echo and pusher-js, as they are on npm, in front of a server. */
#[CoversNothing]
final class BroadcastingTest extends TestCase
{
    private const PACKAGES = ['laravel-echo@2', 'pusher-js@8'];

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testEchoMeetsItsChannels(string $mode): void
    {
        $modules = self::install();
        $application = new Application();
        $server = $application->serve($mode, ['BROADCAST_CONNECTION' => 'sluice', 'WORKERS' => '2']);
        \exec('node ' . \escapeshellarg(__DIR__ . '/echo.cjs') . ' ' . \escapeshellarg($modules) . " $server->port 2>&1", $lines, $status);
        self::assertSame(0, $status, \implode("\n", $lines) . $server->log());
        /** @var array<string, list<mixed>> $seen */
        $seen = \json_decode(\end($lines) ?: '', true, flags: \JSON_THROW_ON_ERROR);
        self::assertSame(
            ['news', ['news', 'hello'], ['news', 'last'], 'users.1', ['users.1', 'secret'], 'all', ['here', ['anna']], ['joining', 'ben'], ['room', 'hello'], ['leaving', 'ben']],
            $seen['anna'],
        );
        // No client gets a message of another one's channel.
        self::assertSame(
            ['news', ['news', 'hello'], ['news', 'others'], ['news', 'last']],
            \array_slice($seen['guest'], 0, 4),
        );
        self::assertNotContains(['users.1', 'secret'], [...$seen['guest'], ...$seen['ben']]);
        $server->stop();
    }

    /** The folder with node_modules, made once. */
    private static function install(): string
    {
        $folder = \dirname(__DIR__, 3) . '/build/packages/echo';
        @\mkdir($folder, recursive: true);
        $lock = \fopen("$folder/lock", 'c') ?: throw new \RuntimeException("$folder/lock cannot be opened");
        \flock($lock, \LOCK_EX);
        $wanted = \implode(' ', self::PACKAGES);
        if (@\file_get_contents("$folder/installed") !== $wanted) {
            \exec('npm install --prefix ' . \escapeshellarg($folder) . " --no-audit --no-fund --ignore-scripts --loglevel=error $wanted 2>&1", $lines, $status);
            if ($status !== 0) {
                self::markTestSkipped("npm cannot install $wanted: " . \implode("\n", \array_slice($lines, -5)));
            }
            \file_put_contents("$folder/installed", $wanted);
        }
        return $folder;
    }
}
