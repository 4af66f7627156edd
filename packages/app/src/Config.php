<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\Http\Limits as HttpLimits;
use Sluice\{Limits, Listener, Mode};

/**
 * How an application is served. The file `sluice.php` in the project's folder returns a Config; without the file all values have
 * their defaults.
 *
 * The environment overrides the file: SLUICE_ADDRESS, SLUICE_WORKERS and so on, for each of Config::OPTIONS; SLUICE_LIMITS_SHUTDOWN_SECONDS and
 * SLUICE_HTTP_LIMITS_BODY_BYTES for each of the limits; SLUICE_APPLICATION is a file that returns the application, and SLUICE_PHP_SETTINGS has `name=value` for
 * $php, several apart by spaces. Options of the command line override both.
 */
final class Config
{
    public const KERNELS = 8;
    private const PID_FILE = 'sluice.pid';
    /** Where Laravel's own commands look for it. */
    private const PID_FILE_OF_LARAVEL = 'storage/framework/sluice.pid';

    /** The values that the environment and the command line may override, with a description of each. */
    public const OPTIONS = [
        'address' => 'the address to listen on: 127.0.0.1:8080, or unix:/run/app.sock',
        'mode' => 'process or base',
        'workers' => 'worker processes, 1 to 128; by default one per CPU',
        'kernels' => 'requests that one worker of a Symfony application handles at a time, 1 to 10,000',
        'public' => 'a folder whose files are sent, except PHP files',
        'pidFile' => 'a file with the process id of the server while it runs',
        'logFile' => 'a file that the log is appended to; by default standard error',
    ];

    /** The values that are objects with values of their own, each of which the environment may override. */
    private const LIMITS = ['limits' => Limits::class, 'httpLimits' => HttpLimits::class];

    /**
     * @param string|Listener $address where to listen; a Listener adds TLS or trusted proxies
     * @param string $mode process or base
     * @param int|null $workers worker processes, 1 to 128; null: one per CPU
     * @param int $kernels requests that one worker of a Symfony application handles at a time, 1 to 10,000
     * @param string|null $public the folder whose files are sent, except PHP files; null: `public`, if it exists; '': none
     * @param string $pidFile a path, relative to the project's folder unless it begins with a slash
     * @param string|null $logFile a file that the log is appended to; null: standard error
     * @param \Closure(): mixed|null $application makes the application: a Symfony kernel, a PSR-15 handler, an `Http\Handler`, or a callable
     *     that handles requests; null: it is searched for
     * @param Limits|null $limits bounds of the server; null: the defaults
     * @param HttpLimits|null $httpLimits bounds of its requests; null: the defaults
     * @param array<string, string> $php settings of PHP that the server runs with, by name, besides those of PhpSettings::RESIDENT
     * @throws \ValueError for a mode or a number of kernels that is not allowed
     */
    public function __construct(
        public readonly string|Listener $address = '127.0.0.1:8080',
        public readonly string $mode = 'process',
        public readonly ?int $workers = null,
        public readonly int $kernels = self::KERNELS,
        public readonly ?string $public = null,
        public readonly string $pidFile = self::PID_FILE,
        public readonly ?string $logFile = null,
        public readonly ?\Closure $application = null,
        public readonly ?Limits $limits = null,
        public readonly ?HttpLimits $httpLimits = null,
        public readonly array $php = [],
    ) {
        if (!\in_array($mode, ['process', 'base'], true)) {
            throw new \ValueError("The mode must be process or base, \"$mode\" given");
        }
        if ($kernels < 1 || $kernels > 10_000) {
            throw new \ValueError("The number of kernels must be 1 to 10000, $kernels given");
        }
    }

    /**
     * The Config of a project, with the values that the environment and $options override.
     *
     * @param string $folder of the project
     * @param array<string, string|null> $options of the command line, by name; null: not given
     * @param array<string, string> $environment by name of the variable
     * @throws \ValueError when `sluice.php` returns something else than a Config, or a value is not allowed
     */
    public static function of(string $folder, array $options = [], array $environment = []): self
    {
        $file = "$folder/sluice.php";
        $config = \is_file($file) ? (static fn(): mixed => require $file)() : new self();
        if (!$config instanceof self) {
            throw new \ValueError("$file must return a " . self::class . ', ' . \get_debug_type($config) . ' given');
        }
        $values = [];
        foreach (\array_keys(self::OPTIONS) as $name) {
            $value = $options[$name] ?? $environment[self::variable($name)] ?? null;
            if ($value !== null) {
                $values[$name] = \in_array($name, ['workers', 'kernels'], true) ? self::number($name, $value) : $value;
            }
        }
        if (isset($environment['SLUICE_APPLICATION'])) {
            $values['application'] = self::applicationOf($folder, $environment['SLUICE_APPLICATION']);
        }
        if (isset($environment['SLUICE_PHP_SETTINGS'])) {
            $values['php'] = self::settingsOf($environment['SLUICE_PHP_SETTINGS']);
        }
        foreach (\extension_loaded('sluice') ? self::LIMITS : [] as $name => $class) {
            $limits = self::limitsOf($class, $name, $environment);
            $given = $name === 'limits' ? $config->limits : $config->httpLimits;
            if ($limits !== []) {
                // The properties of limits are the parameters of their constructor.
                $values[$name] = (new \ReflectionClass($class))->newInstanceArgs($limits + ($given === null ? [] : \get_object_vars($given)));
            }
        }
        return $values === [] ? $config : new self(...$values + \get_object_vars($config)); // @phpstan-ignore argument.type (each was read as its type)
    }

    /** The variable of the environment that overrides a value: SLUICE_PID_FILE for pidFile. */
    public static function variable(string $name): string
    {
        return 'SLUICE_' . \strtoupper((string) \preg_replace('/[A-Z]/', '_$0', $name));
    }

    /**
     * With these values where this Config has the defaults.
     *
     * @param array<string, mixed> $values by name; null: no value
     */
    public function with(array $values): self
    {
        $own = \get_object_vars($this);
        $defaults = \get_object_vars(new self());
        foreach ($values as $name => $value) {
            if ($value !== null && $own[$name] === $defaults[$name]) {
                $own[$name] = $value;
            }
        }
        return new self(...$own); // @phpstan-ignore argument.type (callers give what the constructor takes)
    }

    /** The absolute path of the pid file. */
    public function pidPath(string $folder): string
    {
        $path = $this->pidFile === self::PID_FILE && \is_file("$folder/artisan") && \is_dir("$folder/storage/framework") ? self::PID_FILE_OF_LARAVEL : $this->pidFile;
        return \str_starts_with($path, '/') ? $path : "$folder/$path";
    }

    /**
     * The absolute path of the folder whose files are sent; null: none.
     *
     * @throws \ValueError when a folder was named that does not exist
     */
    public function publicPath(string $folder): ?string
    {
        if ($this->public === '') {
            return null;
        }
        $path = $this->public ?? 'public';
        $path = \str_starts_with($path, '/') ? $path : "$folder/$path";
        if (!\is_dir($path)) {
            return $this->public === null ? null : throw new \ValueError("The public folder \"$path\" does not exist");
        }
        return $path;
    }

    /**
     * @param string $text `name=value`, several apart by spaces
     * @return array<string, string>
     */
    private static function settingsOf(string $text): array
    {
        $settings = [];
        foreach (\preg_split('/ +/', $text, flags: \PREG_SPLIT_NO_EMPTY) ?: [] as $setting) {
            [$name, $value] = \explode('=', $setting, 2) + [1 => null];
            if ($name === '' || $value === null) {
                throw new \ValueError("SLUICE_PHP_SETTINGS must be settings of PHP such as \"opcache.jit=tracing memory_limit=256M\", \"$setting\" given");
            }
            $settings[$name] = $value;
        }
        return $settings;
    }

    private static function applicationOf(string $folder, string $file): \Closure
    {
        $path = \str_starts_with($file, '/') ? $file : "$folder/$file";
        if (!\is_file($path)) {
            throw new \ValueError("The file of SLUICE_APPLICATION, $path, does not exist");
        }
        return static fn(): mixed => require $path;
    }

    /**
     * The limits that the environment names, SLUICE_LIMITS_SHUTDOWN_SECONDS and the like.
     *
     * @param class-string $class
     * @param array<string, string> $environment
     * @return array<string, int|float>
     */
    private static function limitsOf(string $class, string $name, array $environment): array
    {
        $limits = [];
        foreach ((new \ReflectionMethod($class, '__construct'))->getParameters() as $parameter) {
            $variable = self::variable($name . \ucfirst($parameter->name));
            $type = $parameter->getType();
            if (isset($environment[$variable]) && $type instanceof \ReflectionNamedType && $type->isBuiltin()) {
                $text = $environment[$variable];
                $number = $type->getName() === 'int' ? \filter_var($text, \FILTER_VALIDATE_INT) : \filter_var($text, \FILTER_VALIDATE_FLOAT);
                $limits[$parameter->name] = $number === false ? throw new \ValueError("$variable must be a number, \"$text\" given") : $number;
            }
        }
        return $limits;
    }

    private static function number(string $name, string $value): int
    {
        $number = \filter_var($value, \FILTER_VALIDATE_INT);
        return $number === false ? throw new \ValueError("The option $name must be a number, \"$value\" given") : $number;
    }
}
