<?php

declare(strict_types=1);

namespace Sluice\App;

/** The settings of PHP and of the machine that matter to a server. */
final class Machine
{
    /** With as many, no server with the default limits warns of too few. */
    private const DESCRIPTORS = 87_638;
    private const MAPPINGS = 262_144;
    private const BACKLOG = 4096;
    /** Of the configuration of sluice/laravel, and near to SLUICE_APPLICATION. */
    private const VARIABLE_OF_LARAVEL = 'SLUICE_APPLICATIONS';

    /**
     * @param string $php the version of PHP
     * @param array<string, string|false> $settings of PHP, by name; false: PHP has no such setting
     * @param list<string> $extensions that are loaded, in lower case
     * @param string $release the version of the kernel
     * @param array<string, int> $kernel settings of the kernel by name, such as `vm.max_map_count`, without those that cannot be read
     * @param int|null $descriptors that a process may have; null: any number
     * @param list<string> $variables names of the environment that begin with SLUICE_
     */
    public function __construct(
        private readonly string $php,
        private readonly array $settings,
        private readonly array $extensions,
        private readonly string $release,
        private readonly array $kernel,
        private readonly ?int $descriptors,
        private readonly array $variables = [],
    ) {}

    /** The settings that this process sees. */
    public static function ofThisProcess(): self
    {
        $names = ['memory_limit', 'opcache.enable', 'opcache.enable_cli', 'opcache.validate_timestamps', 'opcache.jit', 'opcache.jit_buffer_size', 'opcache.preload', 'zend.assertions', 'display_errors'];
        $kernel = [];
        foreach (['vm.max_map_count', 'net.core.somaxconn'] as $name) {
            $value = @\file_get_contents('/proc/sys/' . \str_replace('.', '/', $name));
            if ($value !== false) {
                $kernel[$name] = (int) $value;
            }
        }
        $limits = \posix_getrlimit();
        $descriptors = \is_array($limits) ? $limits['hard openfiles'] ?? null : null;
        return new self(
            \PHP_VERSION,
            \array_combine($names, \array_map(static fn(string $name) => \ini_get($name), $names)),
            \array_map(strtolower(...), \array_merge(\get_loaded_extensions(), \get_loaded_extensions(true))),
            \php_uname('r'),
            $kernel,
            \is_numeric($descriptors) ? (int) $descriptors : null,
            \array_values(\array_filter(\array_keys(\getenv()), static fn(string $name) => \str_starts_with($name, 'SLUICE_'))),
        );
    }

    /**
     * The result of each check.
     *
     * @return list<Finding>
     */
    public function findings(): array
    {
        return [
            $this->extension(),
            new Finding('PHP', $this->php, \version_compare($this->php, '8.3', '<') ? 'A newer PHP is faster; 8.2 is the oldest that is supported.' : null),
            $this->memory(),
            ...$this->opcache(),
            ...$this->tools(),
            new Finding('display_errors', $this->setting('display_errors') ?: '0', \in_array(\strtolower($this->setting('display_errors')), ['1', 'on', 'stdout'], true)
                ? 'The log has the errors already. Set display_errors=0, so that they are not printed a second time.' : null),
            $this->assertions(),
            new Finding('kernel', $this->release, \version_compare($this->release, '5.10', '<') ? 'Sluice is tested with Linux 5.10 and newer.' : null),
            $this->descriptors(),
            $this->number('vm.max_map_count', self::MAPPINGS, 'Each coroutine takes two mappings. For many coroutines: sysctl -w vm.max_map_count='),
            $this->number('net.core.somaxconn', self::BACKLOG, 'This many connections may wait to be accepted. For bursts of connections: sysctl -w net.core.somaxconn='),
            ...$this->misspelt(),
        ];
    }

    /**
     * Variables that are nearly those of options. Others may be an application's own.
     *
     * @return list<Finding>
     */
    private function misspelt(): array
    {
        $known = Config::variables();
        $findings = [];
        foreach (\array_diff($this->variables, $known, [self::VARIABLE_OF_LARAVEL]) as $name) {
            foreach ($known as $one) {
                if (\levenshtein($name, $one) <= 2) {
                    $findings[] = new Finding("the variable $name", 'not read', "The option's variable is $one.");
                    break;
                }
            }
        }
        return $findings;
    }

    private function extension(): Finding
    {
        return \in_array('sluice', $this->extensions, true)
            ? new Finding('extension sluice', 'loaded')
            : new Finding('extension sluice', 'not loaded', 'Build it, and put "extension=sluice" into php.ini.', isFatal: true);
    }

    private function memory(): Finding
    {
        $limit = $this->setting('memory_limit');
        return new Finding('memory_limit', $limit, $limit === '-1'
            ? 'A worker may take all memory of the machine. Set memory_limit to what one worker needs, for example 256M: the limit is for each worker.' : null);
    }

    /** @return list<Finding> */
    private function opcache(): array
    {
        if (!\in_array('zend opcache', $this->extensions, true)) {
            return [new Finding('opcache', 'not loaded', 'Install it: code starts and runs faster, and workers share the compiled code.')];
        }
        // The command `serve` starts PHP anew with what it lacks.
        $isSetByServe = \in_array('pcntl', $this->extensions, true);
        $isOn = self::isOn($this->setting('opcache.enable_cli')) && self::isOn($this->setting('opcache.enable'));
        $findings = [$this->ofServer('opcache.enable_cli', $isOn, '1', $isSetByServe, 'A server runs on PHP\'s command line, where opcache is off by default. Set opcache.enable=1 and opcache.enable_cli=1.')];
        if ($isOn || $isSetByServe) {
            $findings[] = $this->ofServer('opcache.validate_timestamps', !self::isOn($this->setting('opcache.validate_timestamps')), '0', $isSetByServe,
                'Code stays loaded until a reload anyway. In production set opcache.validate_timestamps=0, so that files are not checked for changes.');
            $findings[] = new Finding('opcache.preload', $this->setting('opcache.preload') ?: 'none; workers have what the boot has loaded');
            $hasJit = (int) $this->setting('opcache.jit_buffer_size') > 0 && !\in_array(\strtolower($this->setting('opcache.jit')), ['', '0', 'off', 'disable'], true);
            $findings[] = new Finding('opcache.jit', $hasJit ? $this->setting('opcache.jit') : 'off', $hasJit
                ? null : 'For code that computes: opcache.jit=tracing and opcache.jit_buffer_size=64M. Pages that mostly wait for databases gain little.');
        }
        return $findings;
    }

    private function ofServer(string $name, bool $isGood, string $wanted, bool $isSetByServe, string $advice): Finding
    {
        $value = $this->setting($name) ?: '0';
        return $isGood || !$isSetByServe ? new Finding($name, $value, $isGood ? null : $advice) : new Finding($name, "$value; sluice serve sets it to $wanted");
    }

    /** @return list<Finding> */
    private function tools(): array
    {
        $slow = \array_values(\array_intersect(['xdebug', 'pcov', 'blackfire', 'tideways'], $this->extensions));
        return $slow === [] ? [] : [new Finding('extensions for developers', \implode(', ', $slow), 'These extensions slow every call down. Do not load them in production.')];
    }

    private function assertions(): Finding
    {
        $value = $this->setting('zend.assertions');
        return new Finding('zend.assertions', $value, $value === '1' ? 'Assertions are evaluated. In production set zend.assertions=-1.' : null);
    }

    private function descriptors(): Finding
    {
        return new Finding('open files', $this->descriptors === null ? 'any number' : (string) $this->descriptors, $this->descriptors !== null && $this->descriptors < self::DESCRIPTORS
            ? 'Each connection takes a descriptor, and Limits::$connections is 65536 by default; files and bodies need some beside them. Raise the hard limit to ' . self::DESCRIPTORS . ' (ulimit -Hn, LimitNOFILE= in systemd), or lower Limits::$connections.' : null);
    }

    private function number(string $name, int $wanted, string $advice): Finding
    {
        $value = $this->kernel[$name] ?? null;
        return new Finding($name, $value === null ? 'unknown' : (string) $value, $value !== null && $value < $wanted ? $advice . $wanted : null);
    }

    private function setting(string $name): string
    {
        return (string) ($this->settings[$name] ?? '');
    }

    private static function isOn(string $value): bool
    {
        return \in_array(\strtolower($value), ['1', 'on', 'yes', 'true'], true);
    }
}
