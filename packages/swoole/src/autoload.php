<?php

// Loads the layer: by Composer, or before the script by the extension, which looks for this file where sluice.swoole is set. The second time it
// does nothing.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    foreach (['Sluice\\Swoole\\' => 'Layer', 'Swoole\\' => 'Swoole'] as $prefix => $folder) {
        if (str_starts_with($class, $prefix) && is_file($file = __DIR__ . "/$folder/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php')) {
            require_once $file;
            return;
        }
    }
});
foreach (['constants', 'functions', 'coroutine', 'http', 'shortnames', 'snake_case'] as $sluiceSwooleFile) {
    require_once __DIR__ . "/functions/$sluiceSwooleFile.php";
}
unset($sluiceSwooleFile);
