<?php

declare(strict_types=1);

// Stands for the autoloader of a project: its own classes, and the packages that it requires.

$GLOBALS['_composer_autoload_path'] = \dirname(__DIR__, 3) . '/build/packages/vendor/autoload.php';
\spl_autoload_register(static function (string $class): void {
    $file = \getcwd() . '/src/' . \str_replace('\\', '/', \substr($class, 4)) . '.php';
    if (\str_starts_with($class, 'App\\') && \is_file($file)) {
        require $file;
    }
});
if (\getenv('WITHOUT_LARAVEL') !== false) {
    // As if the project had not required it.
    $loader = require $GLOBALS['_composer_autoload_path'];
    \assert($loader instanceof Composer\Autoload\ClassLoader);
    $loader->setPsr4('Sluice\\Laravel\\', []);
}
