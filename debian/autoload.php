<?php

declare(strict_types=1);

// Classes of the project in this folder come first: it may have another version of the console than Debian has.
if (is_file(getcwd() . '/vendor/autoload.php')) {
    require getcwd() . '/vendor/autoload.php';
}

spl_autoload_register(static function (string $class): void {
    static $packages = ['App' => 'app', 'HttpFoundation' => 'http-foundation', 'Laravel' => 'laravel', 'Psr' => 'psr', 'Revolt' => 'revolt', 'Symfony' => 'symfony'];
    [$vendor, $package, $rest] = explode('\\', $class, 3) + ['', '', ''];
    $file = __DIR__ . '/packages/' . ($packages[$package] ?? '') . '/src/' . strtr($rest, '\\', '/') . '.php';
    if ($vendor === 'Sluice' && isset($packages[$package]) && is_file($file)) {
        require $file;
    }
});

foreach (['Console\Application' => 'Console', 'ErrorHandler\ErrorHandler' => 'ErrorHandler'] as $class => $component) {
    $file = "/usr/share/php/Symfony/Component/$component/autoload.php";
    if (!class_exists("Symfony\\Component\\$class") && is_file($file)) {
        require $file;
    }
}
