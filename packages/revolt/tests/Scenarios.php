<?php

declare(strict_types=1);

namespace Sluice\Revolt\Tests;

use Revolt\EventLoop\Driver;
use Revolt\EventLoop\{InvalidCallbackError, UncaughtThrowable};

/** What one may do with an event loop; each scenario tells what has happened, for DriverContractTest to compare. */
final class Scenarios
{
    public const KINDS = ['defer', 'delay', 'repeat', 'onReadable', 'onWritable', 'onSignal'];

    private static function never(string $why): never
    {
        throw new \LogicException($why);
    }

    /** @return array{resource, resource} the first can be written to, and so can be read from the second what the first has been given */
    private static function pair(string $bytes = ''): array
    {
        $pair = \stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0) ?: self::never('There are no sockets');
        \fwrite($pair[0], $bytes);
        return [$pair[0], $pair[1]];
    }

    public static function register(Driver $loop, string $kind, \Closure $callback): string
    {
        /** @var array{resource, resource}|null $pair */
        static $pair = null;
        $pair ??= self::pair('bytes');
        return match ($kind) {
            'defer' => $loop->defer($callback),
            'delay' => $loop->delay(0.0, $callback),
            'repeat' => $loop->repeat(0.0, $callback),
            'onReadable' => $loop->onReadable($pair[1], $callback),
            'onWritable' => $loop->onWritable($pair[0], $callback),
            default => $loop->onSignal(\SIGUSR1, $callback),
        };
    }

    public static function trigger(string $kind): void
    {
        if ($kind === 'onSignal') {
            \posix_kill((int) \getmypid(), \SIGUSR1);
        }
    }

    /** @param \Closure(mixed): void $see */
    public static function ticks(Driver $loop, \Closure $see): void
    {
        [$stream] = self::pair();
        $once = static fn(string $what) => static function (string $id) use ($loop, $see, $what): void {
            $loop->cancel($id);
            $see($what);
        };
        // In a callback, for the time of timers begins with the first tick.
        $loop->defer(function () use ($loop, $see, $once, $stream): void {
            $never = static fn() => self::never('It was cancelled');
            $loop->onWritable($stream, $once('0 stream'));
            $again = $loop->onWritable($stream, $once('0 stream'));
            $later = $loop->onWritable($stream, $once('1 stream'));
            $loop->cancel($loop->onWritable($stream, $never));
            $loop->enable($loop->disable($again));
            $loop->disable($later);
            $loop->delay(0, $once('0 timer'));
            $timer = $loop->delay(0, $once('0 timer'));
            $laterTimer = $loop->delay(0, $once('1 timer'));
            $loop->cancel($loop->delay(0, $never));
            $loop->enable($loop->disable($timer));
            $loop->disable($laterTimer);
            $loop->defer($once('0 a'));
            $moved = $loop->defer($once('0 c'));
            $kept = $loop->defer($once('1 a'));
            $loop->cancel($loop->defer($never));
            $loop->defer($once('0 b'));
            $loop->enable($loop->disable($moved));
            $loop->disable($kept);
            $loop->defer(function () use ($loop, $see, $once, $later, $laterTimer, $kept): void {
                $see('0 d');
                $loop->enable($later);
                $loop->enable($laterTimer);
                $loop->enable($kept);
                $loop->defer($once('1 b'));
                $loop->defer(function () use ($loop, $see, $once): void {
                    $see('1 c');
                    // Both are due in the same tick, in the order of their times.
                    $loop->delay(0.02, $once('timer of 20 ms'));
                    $loop->repeat(0.01, $once('timer of 10 ms'));
                    $loop->delay(0.3, $once('timer of 300 ms'));
                    $loop->defer(function () use ($loop, $once): void {
                        \usleep(60_000);
                        $loop->defer($once('last'));
                    });
                });
            });
        });
        $loop->run();
    }

    /** @param \Closure(mixed): void $see */
    public static function queued(Driver $loop, \Closure $see): void
    {
        $loop->queue($see, 1);
        $loop->queue($see, 2);
        $loop->defer(function () use ($loop, $see): void {
            $see('first');
            $loop->defer(static fn() => $see('last'));
            $loop->queue($see, 5);
            $loop->queue($see, 6);
        });
        $loop->defer(static fn() => $see('second'));
        $loop->queue($see, 8);
        $loop->run();
    }

    /** @param \Closure(mixed): void $see */
    public static function queuedThrows(Driver $loop, \Closure $see): void
    {
        $loop->queue(static fn() => throw new \DomainException('queued'));
        $loop->queue($see, 'the next one');
        try {
            $loop->run();
        } catch (UncaughtThrowable $error) {
            $see($error->getPrevious()?->getMessage());
        }
        $loop->run();
    }

    /** @param \Closure(mixed): void $see */
    public static function references(Driver $loop, \Closure $see): void
    {
        foreach (self::KINDS as $kind) {
            if ($kind === 'repeat' || $kind === 'onSignal') {
                continue;  // they would not end
            }
            foreach (['alone', 'referenced again', 'beside another one'] as $how) {
                $id = self::register($loop, $kind, static function (string $id) use ($loop, $see, $kind, $how): void {
                    $loop->cancel($id);
                    $see("$kind $how");
                });
                $loop->unreference($loop->unreference($id));
                if ($how === 'referenced again') {
                    $loop->reference($loop->reference($id));
                }
                $other = $how === 'beside another one' ? $loop->delay(0.02, static fn() => null) : null;
                $see([$loop->isReferenced($id), $loop->isEnabled($id)]);
                $loop->run();
                $loop->cancel($id);
                $other === null || $loop->cancel($other);
            }
        }
        $signal = $loop->onSignal(\SIGUSR1, static fn() => null);
        $loop->unreference($loop->delay(0.01, static function () use ($loop, $see, $signal): void {
            $see('the signal keeps the loop');
            $loop->unreference($signal);
        }));
        $loop->run();
        $loop->cancel($signal);
        $loop->unreference('nobody');
        try {
            $loop->reference('nobody');
        } catch (InvalidCallbackError $error) {
            $see($error->getCallbackId());
        }
    }

    /** @param \Closure(mixed): void $see */
    public static function states(Driver $loop, \Closure $see): void
    {
        foreach (self::KINDS as $kind) {
            $id = self::register($loop, $kind, static fn() => self::never('The loop does not run'));
            $state = static fn() => $see([$kind, $loop->getType($id), $loop->isEnabled($id), $loop->isReferenced($id), \count($loop->getIdentifiers())]);
            $state();
            foreach (['enable', 'disable', 'disable', 'unreference', 'enable', 'reference', 'reference', 'disable'] as $change) {
                $loop->$change($id);
                $state();
            }
            $loop->cancel($id);
            $loop->cancel($loop->disable($id));
            $see($loop->getIdentifiers());
            // Disabled now, cancelled in the next tick.
            $id = $loop->disable(self::register($loop, $kind, static fn() => self::never('It is disabled')));
            $loop->defer(static fn() => $loop->cancel($id));
            $loop->run();
        }
        $see($loop->getIdentifiers());
    }

    /** @param \Closure(mixed): void $see */
    public static function enabledLater(Driver $loop, \Closure $see): void
    {
        foreach (self::KINDS as $kind) {
            $id = $loop->disable(self::register($loop, $kind, static function (string $id) use ($loop, $see, $kind): void {
                $loop->cancel($id);
                $see("$kind is called");
            }));
            $loop->defer(static function () use ($loop, $see, $kind, $id): void {
                $see("$kind is enabled");
                $loop->enable($id);
                $loop->delay(0.001, static fn() => self::trigger($kind));
            });
            $loop->run();
        }
    }

    /** @param \Closure(mixed): void $see */
    public static function over(Driver $loop, \Closure $see): void
    {
        foreach (['defer', 'delay'] as $kind) {
            self::register($loop, $kind, static function (string $id) use ($loop): void {
                $loop->enable($id);
            });
            try {
                $loop->run();
            } catch (UncaughtThrowable $error) {
                $see([$kind, $error->getPrevious()?->getMessage()]);
            }
        }
        try {
            $loop->enable('nobody');
        } catch (InvalidCallbackError $error) {
            $see($error->getCallbackId());
        }
        $see($loop->disable('nobody'));
        foreach (['isEnabled', 'isReferenced', 'getType'] as $question) {
            try {
                $loop->$question('nobody');
            } catch (InvalidCallbackError $error) {
                $see([$question, $error->getMessage()]);
            }
        }
    }

    /** @param \Closure(mixed): void $see */
    public static function nextTick(Driver $loop, \Closure $see): void
    {
        $loop->defer(static function () use ($loop, $see): void {
            $make = static fn(): array => \array_map(static fn(string $kind) => self::register($loop, $kind, static fn() => self::never('It was called in the tick in which it was enabled')), ['defer', 'delay', 'repeat', 'onWritable']);
            [$some, $others] = [$make(), $make()];
            $loop->defer(static fn() => $see('first'));
            \array_map($loop->cancel(...), $some);
            foreach ($others as $id) {
                $loop->enable($loop->disable($id));
                $loop->disable($id);
            }
            $loop->defer(static function () use ($loop, $see, $others): void {
                $see('second');
                \array_map($loop->enable(...), $others);
                \array_map($loop->cancel(...), $others);
            });
        });
        $loop->run();
        $see($loop->getIdentifiers());
        // A tick calls each stream's callback once, however often it was disabled and enabled.
        $calls = 0;
        $id = self::register($loop, 'onWritable', static function () use (&$calls): void {
            ++$calls;
        });
        for ($tick = 0; $tick < 4; ++$tick) {
            $loop->enable($loop->disable($id));
            $loop->defer(static fn() => $loop->stop());
            $loop->run();
            $see($calls);
        }
        $loop->cancel($id);
    }

    /** @param \Closure(mixed): void $see */
    public static function stopped(Driver $loop, \Closure $see): void
    {
        $begun = \hrtime(true);
        $loop->defer(static function () use ($loop): void {
            $loop->delay(5, static fn() => self::never('The loop was stopped'));
        });
        $loop->defer(static fn() => $loop->stop());
        $loop->defer(static function () use ($loop, $see): void {
            $see('of the same tick');
            $loop->defer(static fn() => $see('after the stop'));
        });
        $loop->run();
        $see(['running', $loop->isRunning(), \hrtime(true) - $begun < 4e9]);
        \array_map(static fn(string $id) => $loop->getType($id)->name === 'Delay' ? $loop->cancel($id) : $id, $loop->getIdentifiers());
        $disabled = $loop->disable($loop->defer(static fn() => $see('enabled')));
        $loop->run();
        $loop->enable($disabled);
        $loop->repeat(0.002, static function (string $id) use ($loop, $see): void {
            /** @var int $times */
            static $times = 0;
            $see(++$times);
            $times === 5 && $loop->cancel($id);
        });
        $loop->run();
    }

    /** @param \Closure(mixed): void $see */
    public static function arguments(Driver $loop, \Closure $see): void
    {
        foreach (self::KINDS as $kind) {
            $id = self::register($loop, $kind, static function (mixed ...$arguments) use ($loop, $see, $kind, &$id): void {
                $see([$kind, \array_map(static fn(mixed $one) => $one === $id ? 'its id' : \get_debug_type($one), $arguments)]);
                $loop->cancel($id);
            });
            $loop->delay(0.002, static fn() => self::trigger($kind));
            $loop->run();
        }
    }

    /** @param \Closure(mixed): void $see */
    public static function exceptions(Driver $loop, \Closure $see): void
    {
        foreach (self::KINDS as $kind) {
            self::register($loop, $kind, static function (string $id) use ($loop, $kind): void {
                $loop->cancel($id);
                throw new \DomainException("of $kind");
            });
            $loop->delay(0.002, static fn() => self::trigger($kind));
            try {
                $loop->run();
            } catch (UncaughtThrowable $error) {
                $see($error->getPrevious()?->getMessage());
            }
            $loop->run();
        }
        $loop->defer(static function () use ($loop): void {
            $loop->defer(static fn() => throw new \DomainException('of a later tick'));
        });
        // The loop goes on with the next callback when it runs again.
        $loop->defer(static fn() => throw new \DomainException('first of two'));
        $loop->defer(static fn() => throw new \DomainException('second of two'));
        $loop->defer(static fn() => $see('after the two'));
        for ($i = 0; $i < 4; ++$i) {
            try {
                $loop->run();
                $see('it has come to its end');
            } catch (UncaughtThrowable $error) {
                $see($error->getPrevious()?->getMessage());
            }
        }
    }

    /** @param \Closure(mixed): void $see */
    public static function errorHandlers(Driver $loop, \Closure $see): void
    {
        $loop->setErrorHandler(static fn(\Throwable $error) => $see($error->getMessage()));
        $see(\get_debug_type($loop->getErrorHandler()));
        $loop->repeat(0.001, static function (string $id) use ($loop): void {
            /** @var int $times */
            static $times = 0;
            ++$times === 3 && $loop->cancel($id);
            throw new \DomainException("number $times");
        });
        $loop->run();
        $loop->setErrorHandler(static fn(\Throwable $error) => throw new \DomainException("in the handler of {$error->getMessage()}"));
        $loop->delay(0.001, static fn() => throw new \DomainException('an error'));
        try {
            $loop->run();
        } catch (UncaughtThrowable $error) {
            $see($error->getPrevious()?->getMessage());
        }
        $loop->setErrorHandler(null);
        $see($loop->getErrorHandler());
    }

    /** @param \Closure(mixed): void $see */
    public static function signals(Driver $loop, \Closure $see): void
    {
        $ids = [];
        foreach (\range(0, 4) as $number) {
            $ids[] = $loop->onSignal(\SIGUSR1, static function (string $id, int $signal) use ($loop, $see): void {
                $loop->cancel($id);
                $see("signal $signal");
            });
        }
        $loop->disable($ids[0]);
        $loop->disable($ids[1]);
        $loop->enable($ids[0]);
        $loop->cancel($ids[2]);
        $loop->defer(static function () use ($loop, $see, $ids): void {
            $see('deferred');
            $loop->enable($ids[1]);
            $loop->delay(0.002, static function () use ($loop): void {
                \posix_kill((int) \getmypid(), \SIGUSR1);
                // What a signal has not ended ends here.
                $loop->delay(0.2, static function () use ($loop): void {
                    \array_map($loop->cancel(...), $loop->getIdentifiers());
                });
            });
        });
        $loop->run();
        $see(\pcntl_signal_get_handler(\SIGUSR1));
    }

    /** @param \Closure(mixed): void $see */
    public static function oneStream(Driver $loop, \Closure $see): void
    {
        [$stream, $other] = self::pair();
        \fwrite($other, 'testing');
        $counts = ['reads a' => 0, 'reads b' => 0, 'writes a' => 0, 'writes b' => 0];
        $ids = [];
        foreach (\array_keys($counts) as $name) {
            $ids[$name] = $loop->{\str_starts_with($name, 'reads') ? 'onReadable' : 'onWritable'}($stream, static function (string $id) use ($loop, $name, &$counts): void {
                ++$counts[$name];
                $loop->disable($id);
            });
        }
        $enable = static fn(string $which) => static function () use ($loop, $ids, $which): void {
            $loop->enable($ids["reads $which"]);
            $loop->enable($ids["writes $which"]);
        };
        $loop->defer(static function () use ($loop, $enable): void {
            $loop->delay(0.02, $enable('a'));
        });
        $loop->run();
        $see($counts);
        $enable('a')();
        $loop->delay(0.01, $enable('b'));
        $loop->run();
        $see($counts);
        \array_map($loop->cancel(...), $ids);
    }

    /** @param \Closure(mixed): void $see */
    public static function refused(Driver $loop, \Closure $see): void
    {
        // A port that was free a moment ago.
        $listener = \stream_socket_server('tcp://127.0.0.1:0') ?: self::never('There is no port');
        $address = (string) \stream_socket_get_name($listener, false);
        \fclose($listener);
        $stream = @\stream_socket_client("tcp://$address", $number, $message, 0, \STREAM_CLIENT_CONNECT | \STREAM_CLIENT_ASYNC_CONNECT);
        if ($stream === false) {
            $see('told');
            return;
        }
        $id = $loop->onWritable($stream, static function (string $id) use ($loop, $see): void {
            $loop->cancel($id);
            $see('told');
        });
        $loop->run();
    }

    /** @param \Closure(mixed): void $see */
    public static function passedTimes(Driver $loop, \Closure $see): void
    {
        // Time goes on while nothing runs the loop, and a timer's begins when it is made.
        $loop->delay(0.4, static fn() => $see('of 400 ms'));
        $loop->delay(0.001, static fn() => $see('of 1 ms'));
        \usleep(300_000);
        $loop->delay(0.3, static fn() => $see('of 300 ms, 300 ms later'));
        $begun = \hrtime(true);
        $loop->run();
        $ms = (\hrtime(true) - $begun) / 1e6;
        $see($ms > 290 ? 'in its time' : "too early: $ms ms");
        $loop->defer(static function () use ($loop, $see): void {
            $begun = \hrtime(true);
            $loop->delay(0.2, static fn() => $see(\hrtime(true) - $begun >= 199e6));
            \usleep(100_000);
        });
        $loop->run();
    }

    /** @param \Closure(mixed): void $see */
    public static function shortTimers(Driver $loop, \Closure $see): void
    {
        $turns = 0;
        $loop->repeat(0, static function () use (&$turns): void {
            ++$turns < 1000 ?: self::never('Other timers do not get their turn');
            \usleep(2000);
        });
        $loop->delay(0.002, static function () use ($loop, $see): void {
            $see('the other one');
            $loop->stop();
        });
        $loop->run();
        \array_map($loop->cancel(...), $loop->getIdentifiers());
        $counts = [0, 0];
        foreach ([0, 1] as $which) {
            $loop->repeat(0, static function () use ($loop, $which, &$counts): void {
                ++$counts[$which] < 5 || $loop->stop();
            });
        }
        $loop->run();
        $see(\abs($counts[0] - $counts[1]) < 2);
        \array_map($loop->cancel(...), $loop->getIdentifiers());
    }
}
