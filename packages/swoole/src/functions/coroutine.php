<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Sluice\Swoole\Coroutines;
use Swoole\Coroutine;

/** Runs a function and all that it begins in coroutines, until they have ended. */
function run(mixed $function, mixed ...$parameters): bool
{
    $scheduler = new Scheduler();
    $options = Coroutine::getOptions();
    if ($options !== null) {
        Coroutines::$options = $options;
    }
    $scheduler->add($function, ...$parameters);
    return $scheduler->start();
}

function go(mixed $function, mixed ...$parameters): int|false
{
    return Coroutine::create($function, ...$parameters);
}

function defer(mixed $callback): void
{
    Coroutine::defer($callback);
}

/**
 * @param array<array-key, callable(): mixed> $tasks
 * @return array<array-key, mixed> what the tasks return, by their keys; null for those that took longer
 */
function batch(array $tasks, float $timeout = -1): array
{
    $group = new WaitGroup(\count($tasks));
    foreach ($tasks as $key => $task) {
        Coroutine::create(static function () use ($group, &$tasks, $key, $task): void {
            $tasks[$key] = null;
            $tasks[$key] = $task();
            $group->done();
        });
    }
    $group->wait($timeout);
    return $tasks;
}

/** Calls the function in $n coroutines, and waits for them. */
function parallel(int $n, callable $function): void
{
    $group = new WaitGroup($n);
    while ($n-- > 0) {
        Coroutine::create(static function () use ($group, $function): void {
            $function();
            $group->done();
        });
    }
    $group->wait();
}

/**
 * @template K of array-key
 * @param array<K, mixed> $list
 * @return array<K, mixed>
 */
function map(array $list, callable $function, float $timeout = -1): array
{
    $group = new WaitGroup(\count($list));
    foreach ($list as $key => $item) {
        Coroutine::create(static function () use ($group, $function, &$list, $key, $item): void {
            $list[$key] = null;
            $list[$key] = $function($item);
            $group->done();
        });
    }
    $group->wait($timeout);
    return $list;
}

function deadlock_check(): void {}
