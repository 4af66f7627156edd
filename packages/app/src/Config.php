<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\Http\Limits as HttpLimits;
use Sluice\{Limits, Listener, Mode};

/**
 * How an application is served. `sluice.php` in the folder of the project returns one; without it everything has its default.
 *
 * What a single value says can be said in the environment, too, as SLUICE_ADDRESS, SLUICE_WORKERS and so on, which counts more than the file;
 * options of the command line count more than both.
 */
final class Config
{
    /** What the environment and the command line may say, and how it is read. */
    public const OPTIONS = [
        'address' => 'where to listen: 127.0.0.1:8080, or unix:/run/app.sock',
        'mode' => 'process or base',
        'workers' => 'worker processes, 1 to 128; by default one per CPU',
        'kernels' => 'requests that a worker of a Symfony application works on at a time',
        'public' => 'a folder whose files are sent as they are, but PHP\'s',
        'pidFile' => 'where the process id of the server stands while it runs',
        'logFile' => 'where the log goes; by default to standard error',
    ];

    /**
     * @param string|Listener $address one with TLS or trusted proxies is a Listener
     * @param string $mode process or base
     * @param int|null $workers 1 to 128; null: one per CPU
     * @param int $kernels 1 to 10,000
     * @param string|null $public null: `public`, where there is one; '': none
     * @param string $pidFile below the folder of the project, unless it begins with a slash
     * @param string|null $logFile null: standard error
     * @param \Closure(): mixed|null $application makes what is served: a Symfony kernel, a PSR-15 handler, a handler of Sluice's, or a callable as
     *     one; null: it is looked for
     */
    public function __construct(
        public readonly string|Listener $address = '127.0.0.1:8080',
        public readonly string $mode = 'process',
        public readonly ?int $workers = null,
        public readonly int $kernels = 8,
        public readonly ?string $public = null,
        public readonly string $pidFile = 'sluice.pid',
        public readonly ?string $logFile = null,
        public readonly ?\Closure $application = null,
        public readonly ?Limits $limits = null,
        public readonly ?HttpLimits $httpLimits = null,
    ) {
        if (!\in_array($mode, ['process', 'base'], true)) {
            throw new \ValueError("The mode is process or base, \"$mode\" given");
        }
        if ($kernels < 1 || $kernels > 10_000) {
            throw new \ValueError("The kernels are 1 to 10000, $kernels given");
        }
    }

    /**
     * That of a project, with what the environment and $options say.
     *
     * @param array<string, string|null> $options
     * @param array<string, string> $environment
     * @throws \ValueError for a file that returns something else, and for values that cannot be
     */
    public static function of(string $folder, array $options = [], array $environment = []): self
    {
        $file = "$folder/sluice.php";
        $config = \is_file($file) ? (static fn(): mixed => require $file)() : new self();
        if (!$config instanceof self) {
            throw new \ValueError("$file has to return a " . self::class . ', ' . \get_debug_type($config) . ' given');
        }
        $values = [];
        foreach (\array_keys(self::OPTIONS) as $name) {
            $variable = 'SLUICE_' . \strtoupper((string) \preg_replace('/[A-Z]/', '_$0', $name));
            $value = $options[$name] ?? $environment[$variable] ?? null;
            if ($value !== null) {
                $values[$name] = \in_array($name, ['workers', 'kernels'], true) ? self::number($name, $value) : $value;
            }
        }
        return $values === [] ? $config : new self(...$values + \get_object_vars($config)); // @phpstan-ignore argument.type (each was read as its type)
    }

    /** The path of the pid file. */
    public function pidPath(string $folder): string
    {
        return \str_starts_with($this->pidFile, '/') ? $this->pidFile : "$folder/$this->pidFile";
    }

    /** The folder whose files are sent; null: none. */
    public function publicPath(string $folder): ?string
    {
        if ($this->public === '') {
            return null;
        }
        $path = $this->public ?? 'public';
        $path = \str_starts_with($path, '/') ? $path : "$folder/$path";
        if (!\is_dir($path)) {
            return $this->public === null ? null : throw new \ValueError("The public folder \"$path\" is not there");
        }
        return $path;
    }

    private static function number(string $name, string $value): int
    {
        $number = \filter_var($value, \FILTER_VALIDATE_INT);
        return $number === false ? throw new \ValueError("The option $name is a number, \"$value\" given") : $number;
    }
}
