<?php

declare(strict_types=1);

namespace Sluice;

/** A task of a pool has ended without a result. */
class TaskException extends \RuntimeException {}

/** The task has thrown. */
final class TaskFailedException extends TaskException
{
    /**
     * @internal
     * @param class-string<\Throwable> $class of what the task has thrown
     * @param string $taskTrace the trace of the exception in the task's process
     */
    public function __construct(
        public readonly string $task,
        public readonly string $class,
        string $message,
        int $code,
        public readonly string $taskTrace,
    ) {
        parent::__construct($message, $code);
    }
}

/** The task's process has died, or the queue: nobody knows how far the task had come. */
final class TaskLostException extends TaskException {}

/** The task has not begun, and will not. */
final class TaskRefusedException extends TaskException {}
