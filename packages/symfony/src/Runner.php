<?php

declare(strict_types=1);

namespace Sluice\Symfony;

use Sluice\{Mode, Server};
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\Runtime\RunnerInterface;

/** Serves an application until it is told to stop. */
final class Runner implements RunnerInterface
{
    private const DEFAULTS = ['address' => '127.0.0.1:8080', 'workers' => null, 'kernels' => 8, 'mode' => 'process', 'public' => null];

    /** @var array<string, mixed> */
    private readonly array $options;

    /**
     * @param array<mixed> $options `address`, `workers` (null: one per CPU), `kernels` for each worker, `mode` (process or base), `public` (a folder,
     *     by default that of the project); each is taken from the environment before, as SLUICE_ADDRESS and so on
     * @throws \ValueError for an option that there is not
     */
    public function __construct(private readonly KernelInterface $kernel, array $options = [])
    {
        foreach ($options as $name => $value) {
            if (!\array_key_exists($name, self::DEFAULTS)) {
                throw new \ValueError("There is no option \"$name\": there are " . \implode(', ', \array_keys(self::DEFAULTS)));
            }
        }
        $merged = [];
        foreach (self::DEFAULTS as $name => $default) {
            $environment = $_SERVER['SLUICE_' . \strtoupper($name)] ?? \getenv('SLUICE_' . \strtoupper($name));
            $merged[$name] = \is_string($environment) && $environment !== '' ? $environment : $options[$name] ?? $default;
        }
        $this->options = $merged;
    }

    public function run(): int
    {
        $public = $this->text('public') ?? $this->kernel->getProjectDir() . '/public';
        $mode = Mode::tryFrom((string) $this->text('mode')) ?? throw new \ValueError("The mode is process or base, \"{$this->text('mode')}\" given");
        $server = new Server($mode, workers: $this->number('workers'));
        $server->http(
            $this->text('address') ?? '127.0.0.1:8080',
            new SymfonyHandler($this->kernel, $this->number('kernels') ?? 8, \is_dir($public) ? $public : null),
        );
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
        return $number === false ? throw new \ValueError("The option $name is a number, " . \json_encode($value) . ' given') : $number;
    }
}
