<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Foundation\Application;

/** How requests are kept apart: what `config/sluice.php` says below `sandbox`, and of how many there are at a time. */
final class Options
{
    /** Services that are resolved when an application is booted, so that no request has to; those of Octane's. */
    public const WARM = [
        'auth', 'cache', 'cache.store', 'config', 'cookie', 'db', 'db.factory', 'encrypter', 'files', 'hash', 'log', 'router', 'routes', 'session', 'session.store',
        'translator', 'url', 'view', 'blade.compiler',
    ];
    /** Services that, once a request has resolved them, stay for those that follow it. */
    public const KEPT = ['redis'];

    /**
     * @param list<string> $warm services that are resolved when an application is booted, and rolled back after each request; and classes of models, to be booted then
     * @param list<string> $kept services that stay as they are when a request has resolved them: connections to others
     * @param list<string> $flush services that are resolved anew by each request, though something has resolved them while the application was booted
     * @param list<string> $shared statics that all requests of a worker share, `Some\Class::$property`, or a class, or a namespace with a backslash behind it: caches
     * @param list<string> $folders those whose classes have static properties that belong to requests
     * @param int $applications requests that a worker works on at a time
     * @param int $warmApplications how many applications are booted before there are workers
     */
    public function __construct(
        public readonly array $warm = self::WARM,
        public readonly array $kept = self::KEPT,
        public readonly array $flush = [],
        public readonly array $shared = [],
        public readonly array $folders = ['app'],
        public readonly int $applications = 64,
        public readonly int $warmApplications = 8,
    ) {}

    public static function of(Application $app): self
    {
        $config = $app->make(Repository::class);
        return new self(
            [...self::WARM, ...self::names($config, 'warm')],
            [...self::KEPT, ...self::names($config, 'kept')],
            self::names($config, 'flush'),
            self::names($config, 'shared'),
            \array_map(static fn(string $folder) => \str_starts_with($folder, '/') ? $folder : $app->basePath($folder), self::names($config, 'folders')),
            \is_numeric($applications = $config->get('sluice.applications')) ? (int) $applications : 64,
            \is_numeric($warm = $config->get('sluice.warm')) ? (int) $warm : 8,
        );
    }

    /** @return list<string> */
    private static function names(Repository $config, string $option): array
    {
        $value = $config->get("sluice.sandbox.$option");
        return \is_array($value) ? \array_values(\array_filter($value, \is_string(...))) : [];
    }
}
