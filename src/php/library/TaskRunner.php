<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Coroutine\{CancelledError, Task};

/**
 * The process of a pool in which tasks run, one at a time.
 *
 * @internal
 */
final class TaskRunner
{
    private int $number = 0;
    private ?Task $running = null;

    /** @param array<string, callable> $tasks */
    public function __construct(private readonly array $tasks, private readonly TaskLink $link) {}

    /** Runs tasks until the queue is gone. */
    public function run(): void
    {
        while (($message = $this->link->receive()) !== null) {
            [$head, $body] = $message;
            if ($head[0] === 'run') {
                $this->number = $head[1];
                $this->running = Coroutine\spawn($this->execute(...), $head[1], $head[2], $body);
            } elseif ($head[1] === $this->number) {
                $this->running?->cancel();
            }
        }
    }

    private function execute(int $number, string $name, string $payload): void
    {
        try {
            if (!isset($this->tasks[$name])) {
                $names = \implode('", "', \array_keys($this->tasks));
                $this->link->send(['refused', $number], "There is no task \"$name\" in the pool: there is \"$names\"");
                return;
            }
            $result = \serialize(($this->tasks[$name])(\unserialize($payload)));
        } catch (CancelledError) {
            $this->link->send(['lost', $number], "The task \"$name\" was cancelled, as its process ends");
            return;
        } catch (\Throwable $e) {
            $this->link->send(['failed', $number], \serialize([$e::class, $e->getMessage(), (int) $e->getCode(),
                "{$e->getFile()}:{$e->getLine()}\n{$e->getTraceAsString()}"]));
            return;
        }
        $this->link->send(['done', $number], $result);
    }
}
