<?php

// The layer, as Composer's autoloader would load it. For tools/swoole-suite.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    foreach (['Sluice\\Swoole\\' => 'Layer', 'Swoole\\' => 'Swoole'] as $prefix => $folder) {
        $file = __DIR__ . "/../packages/swoole/src/$folder/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
            return;
        }
    }
});
// Classes of an extension are there without being asked for.
class_exists(Swoole\Http2\Request::class);
foreach (['constants', 'functions', 'coroutine', 'http', 'shortnames', 'snake_case'] as $file) {
    require_once __DIR__ . "/../packages/swoole/src/functions/$file.php";
}
