<?php

declare(strict_types=1);

namespace Sluice\FrankenPhp\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;

#[CoversNothing]
final class WorkerScriptTest extends TestCase
{
    private TestServer $server;

    protected function setUp(): void
    {
        $this->server = TestServer::start(__DIR__ . '/servers/server.php');
    }

    public function testRequestsHaveTheirOwnSuperglobalsInOneScript(): void
    {
        $first = $this->ask('/?a=1');
        self::assertSame(['a' => '1'], $first['get']);
        self::assertSame('1', $first['worker']);
        self::assertSame('1', $first['sent']);
        $answer = $this->server->request('POST', '/', ['User-Agent: tester'], ['b' => '2']);
        $second = \json_decode($answer->body, true);
        self::assertIsArray($second);
        self::assertSame([['b' => '2'], [], 'tester', 2, $first['pid']], [$second['post'], $second['get'], $second['agent'], $second['served'], $second['pid']]);
        self::assertSame("finished", $this->server->get('/?do=finish')->body);
        $this->server->stop();
    }

    public function testAScriptThatEndsBeginsAnewInAnotherWorker(): void
    {
        $first = $this->ask('/');
        $this->server->waitUntil(fn(): bool => $this->ask('/')['pid'] !== $first['pid'], 'another worker serves');
        self::assertStringContainsString('another worker takes over', $this->server->stop());
    }

    public function testExitAndExceptionsBeginTheScriptAnew(): void
    {
        $first = $this->ask('/');
        self::assertSame('bye', $this->server->get('/?do=exit')->body);
        $this->server->waitUntil(fn(): bool => $this->ask('/')['pid'] !== $first['pid'], 'another worker serves after exit()');
        $second = $this->ask('/');
        self::assertSame(500, $this->server->get('/?do=throw')->status);
        $this->server->waitUntil(fn(): bool => $this->ask('/')['pid'] !== $second['pid'], 'another worker serves after an exception');
        self::assertStringContainsString('thrown by the callback', $this->server->stop());
    }

    /** @return array<mixed> */
    private function ask(string $path): array
    {
        $answer = $this->server->get($path);
        self::assertSame(200, $answer->status, $answer->body);
        $told = \json_decode($answer->body, true);
        self::assertIsArray($told);
        return $told;
    }
}
