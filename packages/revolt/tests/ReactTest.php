<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use PHPUnit\Framework\Attributes\{CoversNothing, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\Testing\TestServer;

/** ReactPHP's libraries in handlers, by an adapter of its loop to Revolt's. */
#[CoversNothing]
final class ReactTest extends TestCase
{
    private const ANSWERS = [
        '/timers' => [['timer 1', 'timer 2', 'timer 3'], true],
        '/periodic' => 3,
        '/tick' => 'next',
        '/socket' => 'you said hello',
        '/resolved' => 'at once',
        '/rejected' => 'refused',
    ];

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testLibrariesWorkInHandlers(string $mode): void
    {
        $server = TestServer::start(__DIR__ . '/servers/react.php', $mode);
        foreach (self::ANSWERS as $path => $answer) {
            $response = $server->get($path);
            self::assertSame(200, $response->status, "$path: $response->body\n{$server->log()}");
            self::assertSame($answer, $response->json(), $path);
        }
        $answers = $server->getAll(\array_keys(self::ANSWERS));
        self::assertSame(\array_values(self::ANSWERS), \array_map(static fn($answer) => $answer->json(), $answers));
        $server->stop();
    }
}
