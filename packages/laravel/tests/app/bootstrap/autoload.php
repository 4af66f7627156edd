<?php

declare(strict_types=1);

// The application uses vendor/ of the packages, whose autoloader does not know its classes.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'App\\') && is_file($file = dirname(__DIR__) . '/app/' . strtr(substr($class, 4), '\\', '/') . '.php')) {
        require $file;
    }
});
