<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\Http\Options;
use Sluice\{Mode, Server};
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\Runtime\RunnerInterface;

/** Serves a Symfony application until the server is stopped. */
final class Runner implements RunnerInterface
{
    private const DEFAULTS = [
        'address' => '127.0.0.1:8080', 'workers' => null, 'max_workers' => null, 'kernels' => 8, 'warm' => 8, 'mode' => 'process', 'public' => null,
        'max_requests' => null, 'max_seconds' => null, 'max_memory_bytes' => null, 'pid_file' => null, 'log_file' => null,
    ];

    /** @var array<string, mixed> */
    private readonly array $options;

    /**
     * @param array<mixed> $options `address` (by default 127.0.0.1:8080), `workers` (null: one per CPU), `max_workers` (while all are busy and requests wait), `kernels` (requests
     *     that one worker handles at a time, by default 8), `warm` (kernels that are booted before the workers begin, by default 8), `mode` (process or base), `public` (a folder, by
     *     default that of the project), `max_requests`, `max_seconds` and `max_memory_bytes` (at which a worker is replaced), `pid_file`, `log_file` (null: standard error). The
     *     environment overrides each: SLUICE_ADDRESS and so on
     * @throws \ValueError for an unknown option
     */
    public function __construct(private readonly KernelInterface $kernel, array $options = [])
    {
        foreach ($options as $name => $value) {
            if (!\array_key_exists($name, self::DEFAULTS)) {
                throw new \ValueError("There is no option \"$name\"; the options are " . \implode(', ', \array_keys(self::DEFAULTS)));
            }
        }
        $merged = [];
        foreach (self::DEFAULTS as $name => $default) {
            $environment = $_SERVER['SLUICE_' . \strtoupper($name)] ?? \getenv('SLUICE_' . \strtoupper($name));
            $merged[$name] = \is_string($environment) && $environment !== '' ? $environment : $options[$name] ?? $default;
        }
        $this->options = $merged;
    }

    /**
     * Serves until the server is stopped.
     *
     * @throws \ValueError for an option that is not allowed
     * @throws \Sluice\ServerException when the server cannot start
     */
    public function run(): int
    {
        $public = $this->text('public') ?? $this->kernel->getProjectDir() . '/public';
        $mode = Mode::tryFrom((string) $this->text('mode')) ?? throw new \ValueError("The mode must be process or base, \"{$this->text('mode')}\" given");
        $server = new Server($mode, workers: $this->number('workers'), pidFile: $this->text('pid_file'), logFile: $this->text('log_file'), maxWorkers: $this->number('max_workers'));
        $bounds = [$this->number('max_requests'), $this->number('max_seconds'), $this->number('max_memory_bytes')];
        if ($bounds !== [null, null, null]) {
            $server->recycle(...$bounds);
        }
        $handler = new SymfonyHandler($this->kernel, $this->number('kernels') ?? 8, \is_dir($public) ? $public : null, $this->number('warm') ?? 8);
        $handler->serve($server, $server->http($this->text('address') ?? '127.0.0.1:8080', $handler, new Options(classic: true)));
        $server->run();
        return 0;
    }

    private function text(string $name): ?string
    {
        $value = $this->options[$name] ?? null;
        return \is_string($value) ? $value : null;
    }

    private function number(string $name): ?int
    {
        $value = $this->options[$name] ?? null;
        if ($value === null) {
            return null;
        }
        $number = \filter_var($value, \FILTER_VALIDATE_INT);
        return $number === false ? throw new \ValueError("The option $name must be a number, " . \json_encode($value) . ' given') : $number;
    }
}
