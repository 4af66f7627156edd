<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use PHPUnit\Framework\Attributes\{CoversClass, DataProvider};
use PHPUnit\Framework\TestCase;
use Revolt\EventLoop\{CallbackType, InvalidCallbackError, UncaughtThrowable};
use Sluice\Coroutine;
use Sluice\Revolt\SluiceDriver;
use Sluice\Testing\TestServer;

/** What Revolt demands of any driver, in {main} and in a coroutine. */
#[CoversClass(SluiceDriver::class)]
final class SluiceDriverTest extends TestCase
{
    /** @return array<string, array{\Closure(\Closure(): void): mixed}> */
    public static function places(): array
    {
        return [
            'in {main}' => [static fn(\Closure $test) => $test()],
            'in a coroutine' => [static fn(\Closure $test) => Coroutine\run($test)],
        ];
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testCallbacksComeInOrder(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $seen = '';
            $see = static function (string $what) use (&$seen): \Closure {
                return static function () use ($what, &$seen): void {
                    $seen .= $what;
                };
            };
            $loop->defer(function () use ($loop, $see): void {
                $see('2')();
                $loop->defer($see('5'));
                $loop->delay(0.03, $see('7'));
                $loop->delay(0.01, $see('6'));
            });
            $loop->queue($see('1'));
            $loop->defer($see('3'));
            $loop->defer($see('4'));
            $loop->run();
            self::assertSame('1234567', $seen);
            self::assertSame([], $loop->getIdentifiers());
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testARunEndsWhenNothingReferencedIsLeft(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $start = \hrtime(true);
            $never = $loop->unreference($loop->delay(60, static fn() => self::fail('It has waited for a timer that is not referenced')));
            $fired = 0;
            $loop->repeat(0.005, function (string $id) use ($loop, &$fired): void {
                if (++$fired === 3) {
                    $loop->cancel($id);
                }
            });
            $loop->run();
            self::assertSame(3, $fired);
            self::assertSame([$never], $loop->getIdentifiers());
            self::assertFalse($loop->isReferenced($never));
            $loop->cancel($never);
            self::assertLessThan(5, (\hrtime(true) - $start) / 1e9);
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testCallbacksAreDisabledEnabledAndCancelled(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $seen = [];
            $disabled = $loop->delay(0.001, function () use (&$seen): void {
                $seen[] = 'disabled';
            });
            $enabled = $loop->delay(0.001, function () use (&$seen): void {
                $seen[] = 'enabled';
            });
            $cancelled = $loop->repeat(0.001, static fn() => self::fail('It was cancelled'));
            $loop->disable($disabled);
            $loop->disable($enabled);
            $loop->enable($enabled);
            $loop->cancel($cancelled);
            $loop->run();
            self::assertSame(['enabled'], $seen);
            self::assertFalse($loop->isEnabled($disabled));
            self::assertSame(CallbackType::Delay, $loop->getType($disabled));
            $loop->disable('nobody');
            $loop->cancel('nobody');
            $this->expectException(InvalidCallbackError::class);
            $loop->enable('nobody');
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testStreamsAreWatched(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $pairs = \array_map(static fn() => \stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0), \range(1, 20));
            $got = [];
            foreach ($pairs as $number => $pair) {
                self::assertNotFalse($pair);
                $loop->onReadable($pair[1], function (string $id, mixed $stream) use ($loop, $number, &$got): void {
                    $got[$number] = \fread($stream, 100);
                    $loop->cancel($id);
                });
                $loop->delay(0.001 * $number, function () use ($loop, $pair, $number): void {
                    $loop->onWritable($pair[0], function (string $id) use ($loop, $pair, $number): void {
                        \fwrite($pair[0], "from $number");
                        $loop->cancel($id);
                    });
                });
            }
            $loop->run();
            self::assertCount(20, $got);
            self::assertSame('from 7', $got[7]);
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testBytesInABufferCountAsReadable(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $pair = \stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0);
            self::assertNotFalse($pair);
            \fwrite($pair[0], "first\nsecond\n");
            self::assertSame("first\n", \fgets($pair[1]));
            $line = null;
            $loop->onReadable($pair[1], function (string $id, mixed $stream) use ($loop, &$line): void {
                $line = \fgets($stream);
                $loop->cancel($id);
            });
            $loop->run();
            self::assertSame("second\n", $line);
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testSignalsAreHandled(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $got = [];
            foreach ([1, 2] as $which) {
                $loop->onSignal(\SIGUSR2, function (string $id, int $signal) use ($loop, $which, &$got): void {
                    $got[] = [$which, $signal];
                    $loop->cancel($id);
                });
            }
            $loop->delay(0.01, static function (): void {
                \posix_kill((int) \getmypid(), \SIGUSR2);
            });
            $loop->run();
            self::assertSame([[1, \SIGUSR2], [2, \SIGUSR2]], $got);
            self::assertSame(\SIG_DFL, \pcntl_signal_get_handler(\SIGUSR2));
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testExceptionsComeOutOfRun(\Closure $in): void
    {
        $in(function (): void {
            foreach (['queue', 'defer', 'delay'] as $call) {
                $loop = new SluiceDriver();
                $throw = static fn() => throw new \DomainException("in $call");
                $call === 'delay' ? $loop->delay(0.001, $throw) : $loop->$call($throw);
                try {
                    $loop->run();
                    self::fail('Nothing came out');
                } catch (UncaughtThrowable $error) {
                    self::assertSame("in $call", $error->getPrevious()?->getMessage());
                }
            }
            self::waitForOthers();
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testAnErrorHandlerGetsThem(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $errors = [];
            $loop->setErrorHandler(function (\Throwable $error) use (&$errors): void {
                $errors[] = $error->getMessage();
            });
            $loop->queue(static fn() => throw new \DomainException('a'));
            $loop->defer(static fn() => throw new \DomainException('b'));
            $loop->defer(static fn() => 1); // @phpstan-ignore argument.type
            $loop->run();
            self::assertSame(['a', 'b'], \array_slice($errors, 0, 2));
            self::assertStringContainsString('null', $errors[2] ?? '');
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testARunIsStoppedAndBegunAgain(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $seen = [];
            $loop->delay(0.001, function () use ($loop, &$seen): void {
                $seen[] = 'first';
                $loop->stop();
            });
            $loop->delay(0.05, function () use (&$seen): void {
                $seen[] = 'second';
            });
            $loop->run();
            self::assertSame(['first'], $seen);
            $loop->run();
            self::assertSame(['first', 'second'], $seen);
        });
    }

    /** @param \Closure(\Closure(): void): mixed $in */
    #[DataProvider('places')]
    public function testSuspensionsGiveWhatTheyAreResumedWith(\Closure $in): void
    {
        $in(function (): void {
            $loop = new SluiceDriver();
            $suspension = $loop->getSuspension();
            $loop->delay(0.001, static fn() => $suspension->resume('value'));
            self::assertSame('value', $suspension->suspend());
            $loop->defer(static fn() => $suspension->throw(new \DomainException('thrown in')));
            try {
                $suspension->suspend();
                self::fail('Nothing was thrown');
            } catch (\DomainException $error) {
                self::assertSame('thrown in', $error->getMessage());
            }
            // Waits inside of queued and of other callbacks, several at once.
            $seen = [];
            foreach (['queue', 'defer'] as $call) {
                $loop->$call(function () use ($loop, $call, &$seen): void {
                    $suspension = $loop->getSuspension();
                    $loop->delay(0.001, static fn() => $suspension->resume($call));
                    $seen[] = $suspension->suspend();
                });
            }
            $loop->delay(0.03, static fn() => $suspension->resume());
            $suspension->suspend();
            \sort($seen);
            self::assertSame(['defer', 'queue'], $seen);
            $this->expectExceptionMessage('Must call suspend() before calling resume()');
            $suspension->resume();
        });
    }

    public function testACallbackThatWaitsHoldsNoOthers(): void
    {
        Coroutine\run(function (): void {
            $loop = new SluiceDriver();
            $start = \hrtime(true);
            for ($i = 0; $i < 10; ++$i) {
                $loop->queue(static function (): void {
                    \usleep(500_000);
                });
            }
            $loop->delay(0.01, function () use (&$fired, $start): void {
                $fired = (\hrtime(true) - $start) / 1e9;
            });
            $loop->run();
            self::assertLessThan(0.4, $fired);
            self::waitForOthers();
        });
    }

    public function testNobodyHasToCallRunInACoroutine(): void
    {
        $seen = [];
        Coroutine\run(function () use (&$seen): void {
            $loop = new SluiceDriver();
            $loop->delay(0.001, function () use (&$seen): void {
                $seen[] = 'timer';
            });
            $repeat = $loop->unreference($loop->repeat(0.001, function () use (&$seen): void {
                $seen['repeat'] = true;
            }));
            \usleep(50_000);
            $loop->cancel($repeat);
            self::waitForOthers();
            self::assertCount(2, $seen);
        });
        self::assertSame(['timer', 'repeat' => true], $seen);
    }

    public function testWhatWasRegisteredInMainGoesOnInACoroutine(): void
    {
        $loop = new SluiceDriver();
        $fired = false;
        $loop->delay(0.001, function () use (&$fired): void {
            $fired = true;
        });
        Coroutine\run(fn() => $loop->run());
        self::assertTrue($fired);
    }

    public function testAFiberOfTheApplicationsOwnIsSuspendedAlone(): void
    {
        Coroutine\run(function (): void {
            $loop = new SluiceDriver();
            $seen = [];
            $fiber = new \Fiber(function () use ($loop, &$seen): void {
                $suspension = $loop->getSuspension();
                $loop->delay(0.001, static fn() => $suspension->resume());
                $suspension->suspend();
                $seen[] = 'fiber';
            });
            $fiber->start();
            $seen[] = 'after start()';
            $loop->run();
            \usleep(20_000);
            self::assertSame(['after start()', 'fiber'], $seen);
        });
    }

    public function testNothingIsLeftBehind(): void
    {
        Coroutine\run(function (): void {
            $loop = new SluiceDriver();
            $round = static function () use ($loop): void {
                for ($i = 0; $i < 2000; ++$i) {
                    $suspension = $loop->getSuspension();
                    $loop->queue(static fn() => $suspension->resume());
                    $suspension->suspend();
                    $loop->defer(static fn() => $suspension->resume());
                    $suspension->suspend();
                }
            };
            $round();
            $before = \memory_get_usage();
            $round();
            self::assertLessThan(50_000, \memory_get_usage() - $before);
            self::assertSame([], $loop->getIdentifiers());
        });
    }

    /** Each of them is called once: the stream stays ready. */
    public function testACallbackOfAStreamThatThrowsIsCancelledWhereNobodyHasCalledRun(): void
    {
        // In a process of its own, for the exception goes to the log.
        $script = 'require ' . \var_export(\dirname(__DIR__, 3) . '/build/packages/vendor/autoload.php', true) . ';' . <<<'PHP'
            Sluice\Coroutine\run(static function (): void {
                $loop = new Sluice\Revolt\SluiceDriver();
                [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
                fwrite($there, 'x');
                $loop->onReadable($here, static fn() => throw new RuntimeException('thrown by a callback'));
                $loop->onWritable($there, static fn() => 'something');
                $rounds = 0;
                $loop->repeat(0.001, static function (string $id) use ($loop, &$rounds): void {
                    ++$rounds < 5 || $loop->cancel($id);
                });
                while (Sluice\Coroutine\stats()->live > 1) {
                    usleep(1000);
                }
                echo 'left: ', count($loop->getIdentifiers());
            });
            PHP;
        \exec(\escapeshellarg(TestServer::php()) . ' -r ' . \escapeshellarg($script) . ' 2>&1', $lines);
        $output = \implode("\n", $lines);
        self::assertStringEndsWith('left: 0', $output);
        self::assertSame(1, \substr_count($output, 'caused by RuntimeException: thrown by a callback'), $output);
        self::assertSame(1, \substr_count($output, "caused by Revolt\\EventLoop\\InvalidCallbackError"), $output);
    }

    public function testStopEndsALoopThatNobodyHasRun(): void
    {
        Coroutine\run(function (): void {
            $loop = new SluiceDriver();
            $fired = 0;
            $loop->repeat(0.001, function () use ($loop, &$fired): void {
                if (++$fired === 3) {
                    $loop->stop();
                }
            });
            self::waitForOthers();
            self::assertSame(3, $fired);
            // What is registered later drives it again.
            $loop->delay(0.001, static fn() => $loop->stop());
            self::waitForOthers();
            self::assertGreaterThan(2, $fired);
        });
    }

    public function testASuspensionThatNobodyResumesIsADeadlock(): void
    {
        $this->expectException(Coroutine\DeadlockException::class);
        Coroutine\run(static fn() => (new SluiceDriver())->getSuspension()->suspend());
    }

    public function testAQueuedCallbackLetsGoOfItsArguments(): void
    {
        Coroutine\run(static function (): void {
            $loop = new SluiceDriver();
            $object = new \stdClass();
            $kept = \WeakReference::create($object);
            $wasKept = null;
            $loop->queue(static function (object $given) use ($kept, &$wasKept): void {
                unset($given);
                \usleep(1000);
                $wasKept = $kept->get() !== null;
            }, $object);
            unset($object);
            $loop->run();
            self::waitForOthers();
            self::assertFalse($wasKept);
        });
    }

    public function testRunInACallbackIsRefused(): void
    {
        $this->expectExceptionMessage('already running');
        Coroutine\run(function (): void {
            $loop = new SluiceDriver();
            $loop->defer(fn() => $loop->run());
            try {
                $loop->run();
            } catch (UncaughtThrowable $error) {
                throw $error->getPrevious() ?? $error;
            } finally {
                self::waitForOthers();
            }
        });
    }

    /** Output buffers of PHPUnit's are open, so run()'s own function is to be the last that ends. */
    private static function waitForOthers(): void
    {
        while (Coroutine\stats()->live > 1) {
            \usleep(1000);
        }
    }
}
