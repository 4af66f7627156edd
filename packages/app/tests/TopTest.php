<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\{CoversClass, TestWith};
use PHPUnit\Framework\TestCase;
use Sluice\App\Top\{Frame, Process, Sample};

/** `top`. */
#[CoversClass(Frame::class)]
#[CoversClass(Sample::class)]
final class TopTest extends TestCase
{
    public function testFiguresPerSecondAreBetweenTwoSamples(): void
    {
        $before = new Sample(100.0, 7, ['messagesReceived' => 1000, 'bytesSent' => 0, 'connections' => 1], [new Process(7, 'master', 2048, 1.0), new Process(9, 'worker 0', 4096, 10.0)]);
        $now = new Sample(102.0, 7, ['messagesReceived' => 21_000, 'bytesSent' => 4 << 20, 'connections' => 12, 'queuedBytes' => 3 << 20, 'openFiles' => 2, 'tasksWaiting' => 5, 'queueBytes' => 2048], [
            new Process(11, 'service queue 0', 1024, 0.5), new Process(9, 'worker 0', 4096, 11.0), new Process(7, 'master', 2048, 1.0),
        ]);
        $lines = Frame::lines($before, $now, 80);
        self::assertSame('Sluice, master 7: 3 processes, CPU 50%, memory 7.0 MiB', $lines[0]);
        self::assertSame('messages 10.0k/s (21.0k in all)   connections 12   in 0 B/s   out 2.0 MiB/s', $lines[1]);
        self::assertSame('waiting for clients 3.0 MiB   files being sent 2   bodies being read 0', $lines[3]);
        self::assertSame('tasks waiting 5   queue 2.0 KiB', $lines[4]);
        self::assertSame(['PID', 'PROCESS', 'BOOT', 'CPU', 'MEMORY'], \array_slice(\preg_split('/ +/', \trim($lines[6])) ?: [], 0, 5));
        self::assertSame(['  7  master                  0%  2.0 MiB', '  9  worker 0               50%  4.0 MiB', ' 11  service queue 0         0%  1.0 MiB'], \array_slice($lines, 7));
    }

    public function testALineFitsTheTerminal(): void
    {
        $processes = \array_map(static fn(int $number) => new Process(1_000_000 + $number, "worker $number", 1 << 30, 0.0), \range(0, 99));
        $sample = new Sample(1.0, 7, [], $processes, 'The figures of process 7 cannot be read: it has another version of Sluice');
        $lines = Frame::lines($sample, $sample, 40, 24);
        self::assertCount(24, $lines);
        self::assertSame([], \array_filter($lines, static fn(string $line) => \mb_strwidth($line) > 40));
        self::assertStringEndsWith('…', $lines[1]);
        self::assertSame('… and 81 more processes', $lines[23]);
    }

    #[TestWith(['process'])]
    #[TestWith(['base'])]
    public function testOncePrintsARunningServer(string $mode): void
    {
        $project = new Project(['handler.php' => '<?php return fn ($request, $response) => $response->text("hello");']);
        [$status, $printed] = $project->run([], 'top', '--once');
        self::assertSame([1, true], [$status, \str_contains($printed, 'No server runs')], $printed);
        $server = $project->serve([], "--mode=$mode", '--workers=2');
        $server->getAll(\array_fill(0, 30, '/'));
        // Workers publish their figures once in a turn.
        $server->waitUntil(static function () use ($project, &$printed): bool {
            [$status, $printed] = $project->run([], 'top', '--once', '--interval=0.1');
            self::assertSame(0, $status, $printed);
            \preg_match_all('/worker \d +1 .* (\d+)$/m', $printed, $found);
            return \array_sum(\array_map(\intval(...), $found[1])) === 30;
        }, 'the workers have handled all');
        self::assertStringContainsString('(30 in all)', $printed);
        self::assertMatchesRegularExpression('/PID +PROCESS +BOOT +CPU +MEMORY +REQ\/S +IN FLIGHT +WAITING +HANDLED$/m', $printed);
        self::assertLessThanOrEqual(80, \max(\array_map(\strlen(...), \explode("\n", $printed))), $printed);
        self::assertSame(1, $project->run([], 'top', '--interval=0')[0]);
        $server->stop();
    }
}
