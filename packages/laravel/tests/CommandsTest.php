<?php

declare(strict_types=1);

namespace Sluice\Laravel\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\App\RunningServer;
use Sluice\Testing\TestServer;

/** `php artisan sluice:…`, with an application's own configuration. */
#[CoversNothing]
final class CommandsTest extends TestCase
{
    public function testTheServerIsAsTheConfigurationSays(): void
    {
        $application = new Application();
        $server = TestServer::startCommand([TestServer::php(), "$application->folder/artisan", 'sluice:start', '--workers=1'], environment: [
            'SLUICE_QUEUE_PROCESSES' => '2', 'SLUICE_SCHEDULER' => 'true', 'BROADCAST_CONNECTION' => 'sluice', 'SLUICE_MAX_REQUESTS' => '20',
        ]);
        $server->waitUntil(static fn() => $server->get('/settings')->json() === ['Laravel', false], 'it answers as configured');
        $upgrade = "GET /app/app HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x88\x82\0\0\0\0\x03\xe8";
        self::assertStringStartsWith('HTTP/1.1 101 ', $server->raw($upgrade));
        [$status, $processes] = self::artisan($application, 'sluice:status');
        self::assertSame([0, 1, 2, 1], [$status, ...\array_map(static fn(string $name) => \substr_count($processes, $name), ['worker 0', 'service queue', 'service scheduler'])], $processes);

        $server->waitUntil(static fn() => $server->get('/settings')->status === 200 && \str_contains($server->log(), 'another worker takes over'), 'a worker was replaced');
        // A reload reads changed files, .env among them.
        \file_put_contents("$application->folder/.env", "APP_NAME=Another\n", \FILE_APPEND);
        self::assertSame(0, self::artisan($application, 'sluice:reload')[0]);
        $server->waitUntil(static fn() => $server->get('/settings')->json() === ['Another', false], 'it has reloaded');
        self::assertSame([0, "Stopped.\n"], self::artisan($application, 'sluice:stop'));
        [$status, $printed] = self::artisan($application, 'sluice:reload');
        self::assertSame(1, $status);
        self::assertStringContainsString('No server runs', $printed);
    }

    public function testWhatTheServerCanBeToldIsToldAsToTheCommandOfApp(): void
    {
        $application = new Application();
        \file_put_contents("$application->folder/sluice.php", '<?php return new Sluice\App\Config(workers: 3, maxRequests: 7, extend: fn (Sluice\Server $server, Sluice\Http\Site $site)
            => $site->get("/extended", fn ($request, $response) => $response->text("extended " . ini_get("precision"))));');
        $server = TestServer::startCommand([TestServer::php(), "$application->folder/artisan", 'sluice:start', '--workers=1'], environment: [
            'SLUICE_PROXIES_ADDRESSES' => '127.0.0.1', 'SLUICE_HTTP_LIMITS_BODY_BYTES' => '100', 'SLUICE_WORKERS' => '2', 'SLUICE_PHP_SETTINGS' => 'precision=5',
        ], folder: $application->folder);
        self::assertSame('extended 5', $server->get('/extended')->body, $server->log());
        // The command line counts more than the environment, and that more than files.
        self::assertSame(1, \substr_count(self::artisan($application, 'sluice:status')[1], ': worker '), self::artisan($application, 'sluice:status')[1]);
        $answer = (array) $server->get('/whoami', ['X-Forwarded-Proto: https', 'X-Forwarded-Host: shop.example'])->json();
        self::assertSame('https://shop.example', $answer[1]);
        self::assertSame(413, $server->request('POST', '/valid', [], \str_repeat('x', 101))->status);
        $server->waitUntil(static fn() => $server->get('/settings')->status === 200 && \str_contains($server->log(), 'another worker takes over'), 'a worker was replaced');
        $server->stop();
    }

    public function testOptionsThatCannotBeEndTheStart(): void
    {
        $application = new Application();
        foreach ([
            '--workers=many' => 'The option workers is a number, "many" given', '--mode=fast' => 'The mode is process or base, "fast" given',
            '--max-workers=1000' => 'maxWorkers', '--max-memory-bytes=1' => 'memoryBytes', '--max-seconds=0' => 'seconds',
            '--address=192.0.2.1:80' => '192.0.2.1:80',
        ] as $option => $sentence) {
            [$status, $printed] = self::artisan($application, 'sluice:start', $option);
            self::assertSame(1, $status, $printed);
            self::assertStringContainsString($sentence, $printed);
        }
    }

    #[TestWith(['throw new LogicException("broken");', 'The application does not boot: LogicException: broken in %s/routes/web.php:1'])]
    #[TestWith(['function twice() {} function twice() {}', 'twice() (previously declared in %s/routes/web.php:1'])]
    public function testCodeThatDoesNotBootIsASentence(string $code, string $sentence): void
    {
        $application = new Application();
        $server = TestServer::startCommand([TestServer::php(), "$application->folder/artisan", 'sluice:start', '--workers=1'], folder: $application->folder);
        $server->waitUntil(static fn() => $server->get('/settings')->status === 200, 'it serves');
        $running = RunningServer::of("$application->folder/storage/framework/sluice.pid");
        \file_put_contents("$application->folder/routes/web.php", "<?php $code");
        // artisan itself does not boot any more.
        $running->signal(\SIGHUP);
        $server->waitUntil(static fn() => \str_contains($server->log(), 'the reload has failed'), 'the reload has failed');
        self::assertStringContainsString(\sprintf($sentence, $application->folder), $server->log());
        self::assertStringNotContainsString('<html', $server->log());
        self::assertSame(['Laravel', false], $server->get('/settings')->json());
        $server->stop();
    }

    /** @return array{int, string} */
    private static function artisan(Application $application, string ...$arguments): array
    {
        $command = \implode(' ', \array_map(\escapeshellarg(...), [TestServer::php(), "$application->folder/artisan", ...$arguments]));
        \exec("$command 2>&1", $lines, $status);
        return [$status, \implode("\n", $lines) . "\n"];
    }
}
