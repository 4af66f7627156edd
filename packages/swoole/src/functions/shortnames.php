<?php

declare(strict_types=1);

// The short names, unless swoole.use_shortname is off.

if ((bool) \ini_get('swoole.use_shortname')) {
    if (!\function_exists('go')) {
        function go(mixed $function, mixed ...$parameters): int|false
        {
            return Swoole\Coroutine::create($function, ...$parameters);
        }
    }
    if (!\function_exists('defer')) {
        function defer(mixed $callback): void
        {
            Swoole\Coroutine::defer($callback);
        }
    }
    require __DIR__ . '/short_coroutine.php';
    // A class has its short name from the beginning: `instanceof` asks no autoloader.
    spl_autoload_register(static function (string $name): void {
        $file = __DIR__ . '/../' . \strtr($name, '\\', '/') . '.php';
        if (\str_starts_with($name, 'Swoole\\Coroutine\\') && \is_file($file)) {
            require_once $file;
            \class_alias($name, 'Co\\' . \substr($name, 17));
        }
    }, true, true);
    spl_autoload_register(static function (string $name): void {
        $lower = \strtolower($name);
        $class = match (true) {
            $lower === 'co' => Swoole\Coroutine::class,
            $lower === 'chan', $lower === 'swoole\channel' => Swoole\Coroutine\Channel::class,
            \str_starts_with($lower, 'co\\') => 'Swoole\Coroutine' . \substr($name, 2),
            default => null,
        };
        // It may have got the name as it was loaded.
        if ($class !== null && \class_exists($class) && !\class_exists($name, false)) {
            \class_alias($class, $name);
        }
    });
}
