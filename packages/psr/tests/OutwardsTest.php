<?php

declare(strict_types=1);

namespace Sluice\Psr\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Psr\Log\InvalidArgumentException;
use Sluice\Psr\Log;
use Sluice\Testing\TestServer;

/** The PSR-18 client, the PSR-3 log and PSR-14 events. */
#[CoversNothing]
final class OutwardsTest extends TestCase
{
    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testTheClientAsksAndAnswers(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/outwards.php', $mode);
        self::assertSame([
            [
                [201, '1, 2', 'a|4|' . \md5('body') . '|4', true],
                [201, '1, 2', '|chunked|' . \md5(\str_repeat('x', 3_000_000)) . '|3000000', true],
                [201, '1, 2', '|chunked|' . \md5('onetwo') . '|6', true],
                [302, '', '', true],
                [201, '1, 2', '|chunked|' . \md5('') . '|0', true],
            ],
            20_000_000,
            [['RequestException', true, true], ['NetworkException', true, true], ['NetworkException', true, true]],
        ], $server->get('/asks')->json());
        $server->stop();
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testTheLogHasRecordsAndEvents(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/outwards.php', $mode);
        self::assertSame("logged\n", $server->get('/logs')->body);
        self::assertSame(500, $server->get('/throws')->status);
        $server->waitUntil(static fn() => \str_contains($server->log(), 'event ErrorLogged'), 'the error is told');
        $log = $server->log();
        self::assertStringContainsString('warning: user anna \n{unknown} true {"more":{"a":1}}', $log);
        self::assertMatchesRegularExpression('/error: it broke( trace_id=\w+ span_id=\w+)?\n.*DomainException: the reason in/', $log);
        self::assertStringNotContainsString('too quiet', $log);
        foreach (['WorkerStarted', 'RequestReceived', 'RequestHandled'] as $event) {
            self::assertStringContainsString("info: event $event", $log);
        }
        self::assertStringContainsString('info: event WorkerStopped', $server->stop());
    }

    public function testALevelIsOneOfTheStandards(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('"loud" given');
        (new Log())->log('loud', 'text');
    }
}
