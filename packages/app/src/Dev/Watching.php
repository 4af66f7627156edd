<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

/** Which files of a project are watched: sources and templates, but not what others have written, or what the application writes as it runs. */
final class Watching
{
    public const NAMES = ['*.php', '*.phtml', '*.twig', '*.latte', '*.html', '*.htm', '*.css', '*.js', '*.mjs', '*.yaml', '*.yml', '*.neon', '*.xlf', '*.po'];
    private const FILES = ['composer.json', 'composer.lock', '.env', '.env.local', '.env.dev', '.env.dev.local'];
    private const FOREIGN = ['vendor', 'node_modules', 'var', 'storage', 'cache', 'tmp', 'temp', 'log', 'logs', 'coverage'];

    /**
     * The folders and files of a project that are watched.
     *
     * @return list<string>
     */
    public static function of(string $folder): array
    {
        $watched = [];
        foreach (\scandir($folder) ?: [] as $name) {
            $path = "$folder/$name";
            if (\is_dir($path) ? $name[0] !== '.' && !\in_array($name, self::FOREIGN, true) : \in_array($name, self::FILES, true) || self::isSource($name)) {
                // Laravel writes files into bootstrap/cache as it boots.
                $watched = $name === 'bootstrap' && \is_dir("$path/cache") ? [...$watched, ...(\glob("$path/*.php") ?: [])] : [...$watched, $path];
            }
        }
        return $watched;
    }

    private static function isSource(string $name): bool
    {
        foreach (self::NAMES as $pattern) {
            if (\fnmatch($pattern, $name)) {
                return $name[0] !== '.';
            }
        }
        return false;
    }
}
