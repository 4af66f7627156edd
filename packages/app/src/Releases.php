<?php

declare(strict_types=1);

namespace Sluice\App;

/**
 * Releases of a project in folders of their own, and a symbolic link to the current one: `/srv/app/releases/41`, `/srv/app/releases/42` and `/srv/app/current`. The link may
 * stand beside the releases, too.
 *
 * @internal
 */
final class Releases
{
    /** The folder of this process by the name that a deployment keeps: by the link through which it was entered, or that leads to it. */
    public static function nameOf(string $folder): string
    {
        $name = \getenv('PWD');
        // A shell that has been given none sets the folder's own.
        if (\is_string($name) && \str_starts_with($name, '/') && \realpath($name) === \realpath($folder) && \realpath($name) !== $name) {
            return $name;
        }
        return self::linksTo($folder)[0] ?? $folder;
    }

    /**
     * The other releases of a project.
     *
     * @return list<string> folders
     */
    public static function beside(string $folder): array
    {
        $folder = \realpath($folder) ?: $folder;
        $parent = \dirname($folder);
        $isRelease = self::linksTo($folder) !== [];
        foreach ($isRelease ? [] : self::linksIn(\dirname($parent)) as $target) {
            // One of an older release, or of one that is not yet the current one.
            $isRelease = $isRelease || \dirname($target) === $parent;
        }
        return $isRelease ? \array_values(\array_filter(\glob("$parent/*", \GLOB_ONLYDIR) ?: [], static fn(string $path) => !\is_link($path) && $path !== $folder)) : [];
    }

    /** @return list<string> links beside the folder, or beside the folder that it is in */
    private static function linksTo(string $folder): array
    {
        $folder = \realpath($folder) ?: $folder;
        $links = self::linksIn(\dirname($folder, 2)) + self::linksIn(\dirname($folder));
        return \array_keys($links, $folder, true);
    }

    /** @return array<string, string> where links of a folder lead, by their paths */
    private static function linksIn(string $folder): array
    {
        $links = [];
        foreach (\glob("$folder/*", \GLOB_ONLYDIR) ?: [] as $path) {
            $target = \is_link($path) ? \realpath($path) : false;
            if ($target !== false) {
                $links[$path] = $target;
            }
        }
        return $links;
    }
}
