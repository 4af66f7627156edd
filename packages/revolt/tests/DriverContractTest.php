<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use PHPUnit\Framework\Attributes\{CoversClass, DataProvider};
use PHPUnit\Framework\TestCase;
use Revolt\EventLoop\Driver;
use Revolt\EventLoop\Driver\StreamSelectDriver;
use Sluice\Coroutine;
use Sluice\Revolt\SluiceDriver;

/**
 * Whatever Revolt's abstract test of drivers asks for: what happens, and in which order, is what happens with Revolt's own driver. That test is in no package; each of its
 * points is here.
 */
#[CoversClass(SluiceDriver::class)]
final class DriverContractTest extends TestCase
{
    /** @return array<string, array{\Closure(Driver, \Closure(mixed): void): void, bool}> what is done with a loop and a way to tell what has happened; whether the order in coroutines is another */
    public static function scenarios(): array
    {
        return [
            'the order of ticks' => [Scenarios::ticks(...), false],
            'the order of queued callbacks' => [Scenarios::queued(...), true],
            'a queued callback that throws' => [Scenarios::queuedThrows(...), true],
            'what is not referenced' => [Scenarios::references(...), false],
            'states of callbacks' => [Scenarios::states(...), false],
            'what was disabled and is enabled again' => [Scenarios::enabledLater(...), false],
            'what is over cannot be enabled' => [Scenarios::over(...), false],
            'what is enabled in a tick waits for the next' => [Scenarios::nextTick(...), false],
            'what is stopped goes on' => [Scenarios::stopped(...), false],
            'arguments' => [Scenarios::arguments(...), false],
            'exceptions' => [Scenarios::exceptions(...), false],
            'error handlers' => [Scenarios::errorHandlers(...), false],
            'signals' => [Scenarios::signals(...), false],
            'several callbacks of one stream' => [Scenarios::oneStream(...), false],
            'a connection that is refused' => [Scenarios::refused(...), false],
            'times that pass while the loop does not run' => [Scenarios::passedTimes(...), false],
            'short timers and others' => [Scenarios::shortTimers(...), false],
        ];
    }

    /** @param \Closure(Driver, \Closure(mixed): void): void $scenario */
    #[DataProvider('scenarios')]
    public function testItIsAsWithRevoltsOwnDriver(\Closure $scenario, bool $isOtherInCoroutines): void
    {
        $expected = self::play($scenario, new StreamSelectDriver());
        self::assertNotSame([], $expected);
        self::assertSame($expected, self::play($scenario, new SluiceDriver()), 'in {main}');
        if (!$isOtherInCoroutines) {
            $seen = null;
            Coroutine\run(function () use ($scenario, &$seen): void {
                $seen = self::play($scenario, new SluiceDriver());
                // Output buffers of PHPUnit's are open, so this function is to be the last that ends.
                while (Coroutine\stats()->live > 1) {
                    \usleep(1000);
                }
            });
            self::assertSame($expected, $seen, 'in a coroutine');
        }
    }

    public function testNoKindOfCallbackIsLeftInMemory(): void
    {
        foreach (Scenarios::KINDS as $kind) {
            $loop = new SluiceDriver();
            $round = static function () use ($loop, $kind): void {
                foreach ([static fn(string $id) => $loop->cancel($id), static fn(string $id) => $loop->cancel($loop->disable($id))] as $end) {
                    $ids = [];
                    for ($i = 0; $i < 2000; ++$i) {
                        $ids[] = Scenarios::register($loop, $kind, static fn() => null);
                    }
                    \array_map($end, $ids);
                }
                // One that makes the next one, again and again.
                $left = 500;
                $next = static function (string $id) use ($loop, $kind, &$next, &$left): void {
                    $loop->cancel($id);
                    if (--$left > 0) {
                        Scenarios::register($loop, $kind, $next);
                        $kind !== 'onSignal' || $loop->delay(0, static fn() => Scenarios::trigger($kind));
                    }
                };
                Scenarios::register($loop, $kind, $next);
                $kind !== 'onSignal' || $loop->delay(0, static fn() => Scenarios::trigger($kind));
                $loop->run();
            };
            $round();
            \gc_collect_cycles();
            $before = \memory_get_usage();
            $round();
            \gc_collect_cycles();
            self::assertLessThan(8000, \memory_get_usage() - $before, $kind);
            self::assertSame([], $loop->getIdentifiers());
        }
    }

    /**
     * @param \Closure(Driver, \Closure(mixed): void): void $scenario
     * @return list<mixed> what it has told
     */
    private static function play(\Closure $scenario, Driver $loop): array
    {
        $seen = [];
        $scenario($loop, static function (mixed $what) use (&$seen): void {
            $seen[] = $what;
        });
        return $seen;
    }
}
