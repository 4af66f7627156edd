<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** The callbacks of a server or of a port, by their events. */
final class Events
{
    public const PORT = ['connect', 'receive', 'close', 'packet', 'request', 'handshake', 'open', 'message', 'disconnect', 'beforehandshakeresponse', 'bufferfull', 'bufferempty'];
    public const SERVER = [
        ...self::PORT, 'start', 'beforeshutdown', 'shutdown', 'workerstart', 'workerstop', 'workerexit', 'workererror', 'managerstart', 'managerstop',
        'beforereload', 'afterreload', 'task', 'finish', 'pipemessage',
    ];
    /** What never comes: a warning says what to do. */
    private const NEVER = [
        'bufferfull' => 'push() and send() say what became of the data', 'bufferempty' => 'push() and send() say what became of the data',
        'workererror' => 'the log names workers that have died', 'beforeshutdown' => 'use workerStop', 'beforereload' => 'use workerStop', 'afterreload' => 'use workerStart',
    ];

    /** @var array<string, callable> */
    private array $callbacks = [];

    /** @param list<string> $known */
    public function __construct(private readonly array $known) {}

    public function set(string $event, callable $callback): bool
    {
        $name = \strtolower($event);
        if (\str_starts_with($name, 'on') && \in_array(\substr($name, 2), $this->known, true)) {
            $name = \substr($name, 2);
        }
        if (!\in_array($name, $this->known, true)) {
            return Errors::warn("unknown event types[$event]");
        }
        if (isset(self::NEVER[$name])) {
            Errors::warn("the event $event does not come: " . self::NEVER[$name]);
        }
        $this->callbacks[$name] = $callback;
        return true;
    }

    public function get(string $event): ?callable
    {
        return $this->callbacks[\strtolower($event)] ?? null;
    }

    public function has(string ...$events): bool
    {
        foreach ($events as $event) {
            if (isset($this->callbacks[$event])) {
                return true;
            }
        }
        return false;
    }

    /** Calls it, if it is there, as the coroutine that runs. */
    public function call(string $event, mixed ...$arguments): mixed
    {
        $callback = $this->callbacks[$event] ?? null;
        return $callback === null ? null : Callback::call($callback, $arguments);
    }

    /**
     * Calls it in a coroutine of its own, which has begun when this returns.
     *
     * @param array<mixed> $arguments
     */
    public function start(string $event, array $arguments): void
    {
        $callback = $this->callbacks[$event] ?? null;
        if ($callback !== null) {
            Coroutines::start($callback, $arguments);
        }
    }
}
