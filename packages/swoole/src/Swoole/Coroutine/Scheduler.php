<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Coroutine as Engine;
use Sluice\Swoole\Callback;
use Sluice\Swoole\Errors;
use Sluice\Swoole\Loop;
use Swoole\Coroutine;

class Scheduler
{
    /** @var list<array{callable, array<mixed>}> */
    private array $functions = [];
    private bool $started = false;

    public function add(mixed $func, mixed ...$param): void
    {
        if ($this->started) {
            Errors::warn('Scheduler has already been running, unable to add task');
            return;
        }
        $this->functions[] = [Callback::of($func, 1, 'func'), $param];
    }

    public function parallel(int $n, mixed $func, mixed ...$param): void
    {
        $func = Callback::of($func, 2, 'func');
        while ($n-- > 0) {
            $this->add($func, ...$param);
        }
    }

    /** @param array<string, mixed> $settings */
    public function set(array $settings): void
    {
        Coroutine::set($settings);
    }

    /** @return array<string, mixed>|null */
    public function getOptions(): ?array
    {
        return Coroutine::getOptions();
    }

    public function start(): bool
    {
        if (Engine\id() !== 0 || Loop::isRunning()) {
            return Errors::warn('eventLoop has already been created. unable to start Swoole\Coroutine\Scheduler', \SWOOLE_ERROR_WRONG_OPERATION);
        }
        if ($this->started) {
            return Errors::warn('Scheduler is running, unable to execute Swoole\Coroutine\Scheduler->start()');
        }
        if ($this->functions === []) {
            return Errors::warn('no coroutine task');
        }
        $this->started = true;
        $functions = $this->functions;
        $this->functions = [];
        foreach ($functions as [$function, $parameters]) {
            \Sluice\Swoole\Coroutines::start($function, $parameters);
        }
        Loop::run();
        $this->started = false;
        return true;
    }
}
