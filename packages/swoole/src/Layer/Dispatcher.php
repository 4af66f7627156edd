<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/**
 * The option `dispatch_func`: which worker gets a package. The reactor has no PHP, so the worker of the connection asks the function, and passes
 * packages of others on.
 */
final class Dispatcher
{
    /** What the function is told of a package: it has data, and is no connect or close. */
    private const DATA = 0;

    /** @var callable */
    private $function;

    public function __construct(private readonly Running $running, callable $function)
    {
        $this->function = $function;
    }

    /** @param array<string, mixed> $setting */
    public static function of(Running $running, array $setting): ?self
    {
        $function = $setting['dispatch_func'] ?? null;
        return \is_callable($function) ? new self($running, $function) : null;
    }

    /** Whether this worker is to handle the package. Otherwise it was passed on or dropped, or its connection is closed. */
    public function keeps(int $fd, int $port, string $data): bool
    {
        $server = $this->running->server;
        $answer = Callback::call($this->function, [$server, $fd, self::DATA, $data]);
        $worker = \is_numeric($answer) ? (int) $answer : \SWOOLE_DISPATCH_RESULT_USERFUNC_FALLBACK;
        if ($worker === \SWOOLE_DISPATCH_RESULT_CLOSE_CONNECTION) {
            $this->running->connections->close($fd);
            return false;
        }
        if ($worker === \SWOOLE_DISPATCH_RESULT_DISCARD_PACKET) {
            return false;
        }
        if ($worker < 0 || $worker >= Options::int($server->setting, 'worker_num', 1) || $worker === $server->worker_id) {
            return true;
        }
        return !$this->running->inbox->passOn($worker, $fd, $port, $data);
    }
}
