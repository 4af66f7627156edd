<?php

declare(strict_types=1);

namespace Sluice\Internal;

use Sluice\{Coroutine, Timer};
use Sluice\Coroutine\{CancelledError, Task};

/**
 * One check of Server::readiness() in one worker. All workers of the server look at the same time table: whoever comes first calls the
 * check, and the others leave it at that. So the check is called about once in an interval, and a worker that is held up is no loss.
 *
 * @internal
 */
final class ReadinessCheck
{
    /** How late a worker may be that is busy. */
    private const PATIENCE = 1.0;

    private ?Timer $timer = null;
    private ?Task $running = null;
    private float $began = 0.0;

    /** @param callable(): mixed $check */
    public function __construct(
        private readonly int $index,
        private readonly string $name,
        private readonly mixed $check,
        private readonly float $timeout,
        private readonly float $interval,
    ) {}

    /** In a worker that is about to serve. The first answer is there before it does, so a reload does not make the server unready. */
    public function begin(): void
    {
        $this->tell(null, 'The check has not run yet');
        $this->look();
        $this->timer = Timer::every($this->interval, $this->look(...));
    }

    /** The worker is told to end. */
    public function end(): void
    {
        $this->timer?->cancel();
        $this->running?->cancel();
    }

    private function look(): void
    {
        if ($this->running?->isDone() === false) {
            $this->tell(false, \sprintf('The check has not ended for %.1f s', $this->seconds()));
            return;
        }
        // Timers of several workers never fire at one moment.
        if (Readiness::holdsFor($this->index) > $this->holds() - 0.9 * $this->interval) {
            return;
        }
        $this->began = \hrtime(true) / 1e9;
        if (!Waiter::canWait()) {
            $this->check();
            return;
        }
        $done = new Waiter();
        $this->running = Coroutine\spawn(function () use ($done): void {
            try {
                $this->check();
            } finally {
                $done->wake();
            }
        });
        if (!$done->wait($this->timeout)) {
            $this->tell(false, $this->lateness());
            $this->running->cancel();
        }
    }

    private function check(): void
    {
        try {
            $result = ($this->check)();
        } catch (CancelledError $e) {
            // When it was not for its lateness, this worker ends, and others answer.
            if ($this->seconds() < $this->timeout) {
                return;
            }
            $result = false;
        } catch (\Throwable $e) {
            $result = $e::class . ': ' . $e->getMessage();
        }
        $seconds = $this->seconds();
        if ($seconds > $this->timeout) {
            $this->tell(false, $this->lateness());
        } elseif ($result === false || \is_string($result)) {
            $this->tell(false, $result === false || $result === '' ? 'The check has returned false' : $result);
        } else {
            $this->tell(true, \sprintf('The check has passed within %.3f s', $seconds));
        }
    }

    private function seconds(): float
    {
        return \hrtime(true) / 1e9 - $this->began;
    }

    private function lateness(): string
    {
        return "The check has not answered within $this->timeout s";
    }

    /** One call may be missed. */
    private function holds(): float
    {
        return 2 * $this->interval + $this->timeout + self::PATIENCE;
    }

    private function tell(?bool $ready, string $reason): void
    {
        Readiness::tell($this->index, $this->name, $ready, $reason, $this->holds());
    }
}
