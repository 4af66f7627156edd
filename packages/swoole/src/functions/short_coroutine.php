<?php

declare(strict_types=1);

namespace Co;

function run(callable $function, mixed ...$parameters): bool
{
    return \Swoole\Coroutine\run($function, ...$parameters);
}

function go(callable $function, mixed ...$parameters): int|false
{
    return \Swoole\Coroutine::create($function, ...$parameters);
}

function defer(callable $callback): void
{
    \Swoole\Coroutine::defer($callback);
}
