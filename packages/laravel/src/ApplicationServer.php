<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Contracts\Config\Repository;
use Sluice\App\{Config, Found};
use Sluice\Http\Site;
use Sluice\Laravel\Services\{QueueService, Scheduler};
use Sluice\{Mode, Server};

/** The server of an application as `config/sluice.php` describes it. */
final class ApplicationServer
{
    /** What the command line may say, and how it is read. */
    public const OPTIONS = [
        'address' => 'where to listen: 127.0.0.1:8080, or unix:/run/app.sock',
        'mode' => 'process or base',
        'workers' => 'worker processes, 1 to 128; by default one per CPU',
        'max-workers' => 'worker processes at most, when all are busy and requests wait; by default as many as workers',
        'applications' => 'requests that a worker works on at a time',
        'warm' => 'applications that are booted before the workers begin',
        'max-requests' => 'requests after which a worker is replaced',
        'max-seconds' => 'seconds after which a worker is replaced',
        'max-memory-bytes' => 'bytes of memory of PHP at which a worker is replaced',
    ];

    private readonly Mode $mode;
    private readonly ?int $workers;
    private readonly ?int $maxWorkers;
    private readonly ?int $maxRequests;
    private readonly ?int $maxSeconds;
    private readonly ?int $maxMemoryBytes;

    /**
     * @param array<string, string> $options of the command line, as sluice/app names them
     * @param \Closure(string): mixed $value of an option
     */
    private function __construct(private readonly string $folder, private readonly array $options, private readonly Applications $applications, private readonly \Closure $value)
    {
        $mode = $value('mode');
        $this->mode = Mode::tryFrom(\is_string($mode) ? $mode : '') ?? throw new \ValueError('The mode is process or base, ' . \json_encode($mode) . ' given');
        $this->workers = self::number('workers', $value('workers'));
        $this->maxWorkers = self::number('max-workers', $value('max-workers'));
        $this->maxRequests = self::number('max-requests', $value('max-requests'));
        $this->maxSeconds = self::number('max-seconds', $value('max-seconds'));
        $this->maxMemoryBytes = self::number('max-memory-bytes', $value('max-memory-bytes'));
    }

    /**
     * @param string $folder the application's, with bootstrap/app.php
     * @param array<mixed> $options by name, what counts more than the configuration
     * @throws \ValueError for values that cannot be
     */
    public static function of(string $folder, array $options = []): self
    {
        $applications = new Applications($folder, self::number('applications', $options['applications'] ?? null), self::number('warm', $options['warm'] ?? null));
        $config = $applications->first()->make(Repository::class);
        $given = [];
        foreach (\array_intersect_key($options, self::OPTIONS) as $name => $value) {
            $given[\lcfirst(\str_replace('-', '', \ucwords((string) $name, '-')))] = \is_scalar($value) ? (string) $value : '';
        }
        return new self($folder, $given, $applications, static fn(string $name): mixed => $options[$name] ?? $config->get('sluice.' . \strtr($name, '-', '_')));
    }

    /** With what the application's configuration says where this one says nothing. */
    public function configured(Config $config): Config
    {
        return $config->with([
            'address' => self::text(($this->value)('address')), 'mode' => $this->mode->value, 'workers' => $this->workers, 'maxWorkers' => $this->maxWorkers,
            'maxRequests' => $this->maxRequests, 'maxSeconds' => $this->maxSeconds, 'maxMemoryBytes' => $this->maxMemoryBytes,
            'pidFile' => self::text(($this->value)('pid_file')), 'logFile' => self::text(($this->value)('log_file')),
        ]);
    }

    /** The handler of the site, whose options have `classic: true`. */
    public function handler(): LaravelHandler
    {
        $public = $this->applications->first()->publicPath();
        return new LaravelHandler($this->applications, \is_dir($public) ? $public : null);
    }

    /** Adds what an application has beside its handler: broadcasting, queue workers, the scheduler. */
    public function addTo(Server $server, Site $site): void
    {
        $config = $this->applications->first()->make(Repository::class);
        if ($config->get('broadcasting.default') === 'sluice') {
            $origins = $config->get('sluice.broadcasting.origins');
            $origins = \is_string($origins) && $origins !== '' ? \explode(',', $origins) : $origins;
            $this->applications->broadcast($server, $site, \is_array($origins) ? \array_values(\array_filter($origins, \is_string(...))) : null);
        }
        $processes = self::number('queue.processes', ($this->value)('queue.processes')) ?? 0;
        if ($processes > 0) {
            self::queue($this->applications, $this->value)->serve($server, $processes);
        }
        if (\filter_var(($this->value)('scheduler'), \FILTER_VALIDATE_BOOL)) {
            (new Scheduler($this->applications))->serve($server);
        }
    }

    /** Serves until it is told to stop. What `config/sluice.php` does not know, such as limits and certificates, is that of sluice/app: variables and `sluice.php`. */
    public function run(): void
    {
        $config = $this->configured(Config::of($this->folder, $this->options, \getenv()));
        (new Found($this->handler(), $config, true, $this->addTo(...)))->serve($this->folder);
    }

    /** @param \Closure(string): mixed $value */
    private static function queue(Applications $applications, \Closure $value): QueueService
    {
        $sleep = $value('queue.sleep');
        return new QueueService(
            $applications,
            self::number('queue.jobs', $value('queue.jobs')) ?? 8,
            self::text($value('queue.connection')),
            self::text($value('queue.queue')),
            self::number('queue.tries', $value('queue.tries')) ?? 1,
            self::number('queue.timeout', $value('queue.timeout')) ?? 60,
            \is_numeric($sleep) ? (float) $sleep : 1.0,
            self::number('queue.backoff', $value('queue.backoff')) ?? 0,
        );
    }

    private static function text(mixed $value): ?string
    {
        return \is_string($value) && $value !== '' ? $value : null;
    }

    private static function number(string $name, mixed $value): ?int
    {
        if ($value === null || $value === '') {
            return null;
        }
        $number = \filter_var($value, \FILTER_VALIDATE_INT);
        return $number === false ? throw new \ValueError("The option $name is a number, " . \json_encode($value) . ' given') : $number;
    }
}
