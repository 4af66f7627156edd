<?php

declare(strict_types=1);

namespace Sluice\App;

use Sluice\App\Leaks\Report;
use Sluice\Http\{Handler, Options, Site};
use Sluice\Server;

/** An application that was found in a folder. */
final class Found
{
    /**
     * @param Config $config with the values of a configuration that the application has itself
     * @param bool $isClassic whether each request has superglobals and settings of PHP of its own
     * @param (\Closure(Server, Site): void)|null $add adds what the application's framework has beside its handler
     * @param ?int $concurrency how many requests a worker handles at a time, unless the configuration says so; null: any number
     */
    public function __construct(
        public readonly Handler|\Closure $handler,
        public readonly Config $config,
        public readonly bool $isClassic = false,
        private readonly ?\Closure $add = null,
        private readonly ?int $concurrency = null,
    ) {}

    /** Serves it until the server is told to stop. */
    public function serve(string $folder): void
    {
        $server = $this->config->server($folder);
        $this->addTo($server, $server->http($this->config->address, $this->handler, $this->options(), $this->config->httpLimits));
        Report::from($server);
        $server->run();
    }

    /** Adds what the application has beside its handler, and what the configuration adds. */
    public function addTo(Server $server, Site $site): void
    {
        if ($this->add !== null) {
            ($this->add)($server, $site);
        }
        if ($this->config->extend !== null) {
            ($this->config->extend)($server, $site);
        }
    }

    /** @param array<string, mixed> $over arguments of the options that count more than the configuration */
    public function options(array $over = []): Options
    {
        $options = $over + ($this->config->http === null ? [] : \get_object_vars($this->config->http));
        $options['classic'] ??= $this->isClassic;
        $options['concurrency'] ??= $this->concurrency;
        return new Options(...$options); // @phpstan-ignore argument.type (the properties are the parameters)
    }
}
