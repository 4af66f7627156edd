<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\Http\{Limits as HttpLimits, Options as HttpOptions, Site};
use Sluice\{Limits, Listener, Mode, Server};

/**
 * How an application is served. The file `sluice.php` in the project's folder returns a Config; without the file all values have
 * their defaults.
 *
 * The environment overrides the file: SLUICE_ADDRESS, SLUICE_WORKERS and so on, for each of Config::OPTIONS. Objects go on by the names of their
 * arguments: SLUICE_LIMITS_SHUTDOWN_SECONDS, SLUICE_LIMITS_WEB_SOCKET_MESSAGE_BYTES, SLUICE_HTTP_LIMITS_BODY_BYTES, SLUICE_HTTP_ACCESS_LOG_PATH; those of the Listener
 * are SLUICE_TLS_CERTIFICATE, SLUICE_PROXIES_ADDRESSES and so on. SLUICE_APPLICATION is a file that returns the application, SLUICE_EXTEND one that returns $extend, and SLUICE_PHP_SETTINGS has
 * `name=value` for $php, several apart by spaces. Options of the command line override both.
 */
final class Config
{
    public const KERNELS = 8;
    public const WARM = 8;
    private const CANARY_SHARE = 0.05;
    private const PID_FILE = 'sluice.pid';
    /** Where Laravel's own commands look for it. */
    private const PID_FILE_OF_LARAVEL = 'storage/framework/sluice.pid';

    /** The values that the environment and the command line may override, with a description of each. */
    public const OPTIONS = [
        'address' => 'the address to listen on: 127.0.0.1:8080, or unix:/run/app.sock',
        'mode' => 'process or base',
        'workers' => 'worker processes, 1 to 128; by default one per CPU',
        'maxWorkers' => 'worker processes at most, when all are busy and requests wait; by default as many as workers',
        'reactors' => 'threads that hold the connections, 1 to 64; by default half as many as CPUs',
        'maxRequests' => 'requests after which a worker is replaced',
        'maxSeconds' => 'seconds after which a worker is replaced',
        'maxMemoryBytes' => 'bytes of memory of PHP at which a worker is replaced',
        'kernels' => 'requests that one worker of a Symfony application handles at a time, 1 to 10,000',
        'warm' => 'kernels or applications of Symfony or Laravel that are booted before the workers begin, 0 to 10,000',
        'public' => 'a folder whose files are sent, except PHP files',
        'linksTo' => 'folders that symbolic links in the public folder, or in the folder that is served, may lead to, apart by colons',
        'pidFile' => 'a file with the process id of the server while it runs',
        'logFile' => 'a file that the log is appended to; by default standard error',
        'admin' => 'the address of the admin listener: 127.0.0.1:9400, or unix:/run/app-admin.sock; by default there is none',
        'adminToken' => 'the token that the admin listener demands, 16 to 512 characters; rather by SLUICE_ADMIN_TOKEN, as others see command lines',
        'canarySeconds' => 'seconds, 0.1 to 3,600, for which a reload is tried out with a share of the requests before it takes over, in process mode; by default it takes over at once',
        'canaryShare' => 'the share of the requests that it gets meanwhile, 0.001 to 0.5; by default 0.05',
    ];

    private const NUMBERS = ['workers', 'maxWorkers', 'reactors', 'maxRequests', 'maxSeconds', 'maxMemoryBytes', 'kernels', 'warm'];
    private const REALS = ['canarySeconds', 'canaryShare'];

    /** The values that are objects with values of their own, each of which the environment may override. */
    private const OBJECTS = ['limits' => Limits::class, 'http' => HttpOptions::class, 'httpLimits' => HttpLimits::class];

    /**
     * @param string|Listener $address where to listen; a Listener adds TLS or trusted proxies
     * @param string $mode process or base
     * @param int|null $workers worker processes, 1 to 128; null: one per CPU
     * @param int $kernels requests that one worker of a Symfony application handles at a time, 1 to 10,000
     * @param string|null $public the folder whose files are sent, except PHP files; null: `public`, if it exists; '': none
     * @param string $linksTo folders that symbolic links in it may lead to, apart by colons: `storage/app/public:/usr/share/javascript`; those that Laravel and Symfony make are
     *     known; '': none
     * @param string $pidFile a path, relative to the project's folder unless it begins with a slash
     * @param string|null $logFile a file that the log is appended to; null: standard error
     * @param \Closure(): mixed|null $application makes the application: a Symfony kernel, a PSR-15 handler, an `Http\Handler`, or a callable
     *     that handles requests; null: it is searched for
     * @param Limits|null $limits bounds of the server; null: the defaults
     * @param HttpLimits|null $httpLimits bounds of its requests; null: the defaults
     * @param array<string, string> $php settings of PHP that the server runs with, by name, besides those of PhpSettings::RESIDENT
     * @param int|null $warm how many kernels of Symfony, or applications of Laravel, are booted before the workers begin rather than by their first requests, 0 to 10,000 and at
     *     most $kernels; null: 8, or what the configuration of the application says
     * @param HttpOptions|null $http how requests are handled: the access log, compression and so on; null: the defaults
     * @param int|null $maxWorkers worker processes at most, while all are busy and requests wait, in process mode; null: as many as $workers
     * @param int|null $reactors threads that hold the connections, 1 to 64, in process mode; null: half as many as CPUs
     * @param int|null $maxRequests requests after which a worker is replaced; null: never for their number
     * @param int|null $maxSeconds seconds after which a worker is replaced; null: never for its age
     * @param int|null $maxMemoryBytes bytes of memory of PHP at which a worker is replaced, 1 MiB to 1 TiB; null: up to `memory_limit`
     * @param string|null $admin the address of the admin listener, as `Server::admin()` takes it; null: none
     * @param string|null $adminToken the token that it demands; null: none, which only addresses of this machine allow
     * @param float|null $canarySeconds for how long a reload is tried out before it takes over, as `Server::canary()` takes it, not with --dev; null: it takes over at once
     * @param float|null $canaryShare of the requests that it gets meanwhile; null: 0.05
     * @param \Closure(Server, Site): mixed|null $extend called before the server runs, with the site of the application: adds services, timers, pools of tasks, routes, WebSockets
     * @throws \ValueError for a mode or a number that is not allowed
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
        public readonly ?HttpOptions $http = null,
        public readonly ?int $warm = null,
        public readonly ?int $maxWorkers = null,
        public readonly ?int $reactors = null,
        public readonly ?int $maxRequests = null,
        public readonly ?int $maxSeconds = null,
        public readonly ?int $maxMemoryBytes = null,
        public readonly ?\Closure $extend = null,
        public readonly ?string $admin = null,
        public readonly ?string $adminToken = null,
        public readonly string $linksTo = '',
        public readonly ?float $canarySeconds = null,
        public readonly ?float $canaryShare = null,
    ) {
        if (!\in_array($mode, ['process', 'base'], true)) {
            throw new \ValueError("The mode must be process or base, \"$mode\" given");
        }
        if ($kernels < 1 || $kernels > 10_000) {
            throw new \ValueError("The number of kernels must be 1 to 10000, $kernels given");
        }
        if ($warm !== null && ($warm < 0 || $warm > 10_000)) {
            throw new \ValueError("The number of kernels that are warm must be 0 to 10000, $warm given");
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
            $options[$name] ??= null;
            $value = $options[$name] ?? $environment[Environment::variable($name)] ?? null;
            if ($value !== null) {
                $source = $options[$name] === null ? Environment::variable($name) : "The option $name";
                $values[$name] = match (true) {
                    \in_array($name, self::NUMBERS, true) => Environment::number($source, $value),
                    \in_array($name, self::REALS, true) => Environment::real($source, $value),
                    default => $value,
                };
            }
        }
        if (isset($environment['SLUICE_APPLICATION'])) {
            $values['application'] = self::fileOf($folder, 'SLUICE_APPLICATION', $environment['SLUICE_APPLICATION']);
        }
        if (isset($environment['SLUICE_EXTEND'])) {
            $extend = self::fileOf($folder, 'SLUICE_EXTEND', $environment['SLUICE_EXTEND']);
            $values['extend'] = static function (Server $server, Site $site) use ($extend): void {
                $add = $extend();
                \is_callable($add) ? $add($server, $site) : throw new \ValueError('The file of SLUICE_EXTEND must return a function, ' . \get_debug_type($add) . ' given');
            };
        }
        if (isset($environment['SLUICE_PHP_SETTINGS'])) {
            $values['php'] = self::settingsOf($environment['SLUICE_PHP_SETTINGS']);
        }
        if (\extension_loaded('sluice')) {
            $values = self::withListener($values, $config->address, $environment);
            $variables = new Environment($environment);
            foreach (self::OBJECTS as $name => $class) {
                $values[$name] = $variables->object($class, Environment::variable($name), $config->$name);
            }
        }
        return $values === [] ? $config : new self(...$values + \get_object_vars($config)); // @phpstan-ignore argument.type (each was read as its type)
    }

    /**
     * The names of all variables of the environment that override a value.
     *
     * @return list<string>
     */
    public static function variables(): array
    {
        $names = [...\array_map(Environment::variable(...), \array_keys(self::OPTIONS)), 'SLUICE_APPLICATION', 'SLUICE_EXTEND', 'SLUICE_PHP_SETTINGS'];
        foreach (\extension_loaded('sluice') ? self::OBJECTS : [] as $name => $class) {
            \array_push($names, ...Environment::names($class, Environment::variable($name)));
        }
        return \extension_loaded('sluice') ? [...$names, ...self::variablesOfListener()] : $names;
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

    /** A server as this Config describes it, without listeners. */
    public function server(string $folder): Server
    {
        $server = new Server(
            Mode::from($this->mode),
            workers: $this->workers,
            reactors: $this->reactors,
            limits: $this->limits,
            pidFile: $this->pidPath($folder),
            logFile: $this->logFile,
            maxWorkers: $this->maxWorkers,
        );
        if ($this->maxRequests !== null || $this->maxSeconds !== null || $this->maxMemoryBytes !== null) {
            $server->recycle($this->maxRequests, $this->maxSeconds, $this->maxMemoryBytes);
        }
        if ($this->admin !== null) {
            $server->admin($this->admin, $this->adminToken);
        }
        if ($this->canarySeconds !== null) {
            $server->canary($this->canarySeconds, $this->canaryShare ?? self::CANARY_SHARE);
        } elseif ($this->canaryShare !== null) {
            throw new \ValueError("A share of $this->canaryShare for a reload that is tried out needs canarySeconds, too");
        }
        return $server;
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
     * The absolute paths of the folders that links may lead to.
     *
     * @return list<string>
     */
    public function linksTo(string $folder): array
    {
        $paths = \array_values(\array_filter(\explode(':', $this->linksTo), static fn(string $path): bool => $path !== ''));
        return \array_map(static fn(string $path): string => \str_starts_with($path, '/') ? $path : "$folder/$path", $paths);
    }

    /** @return list<string> the variables for what a Listener has besides its address */
    public static function variablesOfListener(): array
    {
        return \array_values(\array_diff(Environment::names(Listener::class, 'SLUICE'), ['SLUICE_ADDRESS']));
    }

    /**
     * An address of the environment or the command line stands for all of a listener of the file; TLS, proxies and permissions of the environment are added.
     *
     * @param array<string, mixed> $values
     * @param array<string, string> $environment
     * @return array<string, mixed>
     */
    private static function withListener(array $values, string|Listener $given, array $environment): array
    {
        if (\array_intersect(self::variablesOfListener(), \array_keys($environment)) !== []) {
            $address = $values['address'] ?? ($given instanceof Listener ? $given->address : $given);
            \assert(\is_string($address));
            $listener = isset($values['address']) || \is_string($given) ? null : $given;
            $values['address'] = (new Environment(['SLUICE_ADDRESS' => $address] + $environment))->object(Listener::class, 'SLUICE', $listener);
        }
        return $values;
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

    private static function fileOf(string $folder, string $variable, string $file): \Closure
    {
        $path = \str_starts_with($file, '/') ? $file : "$folder/$file";
        if (!\is_file($path)) {
            throw new \ValueError("The file of $variable, $path, does not exist");
        }
        return static fn(): mixed => require $path;
    }
}
