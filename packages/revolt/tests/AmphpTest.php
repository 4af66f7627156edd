<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;

/** amphp's packages in handlers. */
#[CoversNothing]
final class AmphpTest extends TestCase
{
    private const ANSWERS = [
        '/hello' => 'hello',
        '/amp' => [210, true],
        '/both' => [true],
        '/future' => 'completed by a coroutine',
        '/timeout' => 'Amp\TimeoutException',
        '/sync' => [0, 1],
        '/byte-stream' => '1000000 bytes',
        '/socket' => 'you said hello',
        '/dns' => '127.0.0.1',
        '/parallel' => [4, 9, 16],
        '/unreferenced' => 'fired',
        '/uncaught' => 'goes on',
    ];

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testPackagesWorkInHandlers(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/amphp.php', $mode);
        foreach (self::ANSWERS as $path => $answer) {
            $response = $server->get($path);
            self::assertSame(200, $response->status, "$path: $response->body\n{$server->log()}");
            self::assertSame($answer, $response->json(), $path);
        }
        self::assertSame(500, $server->get('/throws')->status);
        self::assertStringContainsString('out of async', $server->log());
        self::assertStringContainsString('out of a callback', $server->log());
        // All requests come at once, and share one loop.
        $answers = $server->getAll(\array_keys(self::ANSWERS));
        self::assertSame(\array_values(self::ANSWERS), \array_map(static fn($answer) => $answer->json(), $answers));
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testASuspensionEndsWithItsClient(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/amphp.php', $mode);
        $client = \stream_socket_client("tcp://127.0.0.1:$server->port");
        self::assertIsResource($client);
        \fwrite($client, "GET /cancelled HTTP/1.1\r\nHost: h\r\n\r\n");
        self::assertSame('"hello"', $server->get('/hello')->body);
        \fclose($client);
        $server->waitUntil(static fn() => \str_contains($server->log(), 'cancelled in a suspension'), 'the handler is cancelled');
        $server->stop();
    }
}
