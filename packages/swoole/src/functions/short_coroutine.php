<?php

declare(strict_types=1);

namespace Co;

function run(mixed $function, mixed ...$parameters): bool
{
    return \Swoole\Coroutine\run($function, ...$parameters);
}

function go(mixed $function, mixed ...$parameters): int|false
{
    return \Swoole\Coroutine::create($function, ...$parameters);
}

function defer(mixed $callback): void
{
    \Swoole\Coroutine::defer($callback);
}
