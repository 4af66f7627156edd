<?php

declare(strict_types=1);

namespace Sluice\App;

/** The settings of PHP that a server whose code stays in memory runs with. */
final class PhpSettings
{
    /**
     * Opcache, which PHP's command line has off by default, without looking for changes in files: a reload starts PHP anew. Preloading would load what workers
     * are forked with anyway, and the JIT is for code that computes: both stay as php.ini has them.
     */
    public const RESIDENT = ['opcache.enable' => '1', 'opcache.enable_cli' => '1', 'opcache.validate_timestamps' => '0'];

    /**
     * The settings as PHP's command line takes them: `-d name=value` for each that PHP has another value for.
     *
     * @param array<string, string> $own settings of the project, which override those of RESIDENT
     * @param array<string, string|false> $current what PHP has now, by name; false: PHP has no such setting
     * @param list<string> $words the command line of this process: what it has set already is not set again
     * @return list<string>
     */
    public static function options(array $own, array $current, array $words): array
    {
        $options = [];
        foreach ($own + self::RESIDENT as $name => $value) {
            $is = $current[$name] ?? false;
            $isSame = $is === $value || ($is === '' && $value === '0');
            if ($is !== false && !$isSame && !\in_array("$name=$value", $words, true)) {
                \array_push($options, '-d', "$name=$value");
            }
        }
        return $options;
    }

    /**
     * What PHP, as this process was started, lacks of the settings.
     *
     * @param array<string, string> $own settings of the project
     * @return list<string> see options()
     */
    public static function lacking(array $own = []): array
    {
        $names = \array_keys($own + self::RESIDENT);
        return self::options($own, \array_combine($names, \array_map(\ini_get(...), $names)), self::commandLine());
    }

    /**
     * Starts this process anew with the settings that it lacks: most of them must be there before PHP starts. Returns when it lacks none, or when the
     * extension pcntl is missing. What stands on the command line counts more than $own.
     *
     * @param array<string, string> $own settings of the project
     * @throws \RuntimeException when PHP cannot be started
     */
    public static function apply(array $own = []): void
    {
        $options = self::lacking($own);
        if ($options === [] || !\extension_loaded('pcntl')) {
            return;
        }
        \pcntl_exec(\PHP_BINARY, [...$options, ...\array_slice(self::commandLine(), 1)]);
        throw new \RuntimeException('PHP cannot be started: ' . \pcntl_strerror(\pcntl_get_last_error()));
    }

    /** @return list<string> */
    private static function commandLine(): array
    {
        return \explode("\0", \substr((string) \file_get_contents('/proc/self/cmdline'), 0, -1));
    }
}
