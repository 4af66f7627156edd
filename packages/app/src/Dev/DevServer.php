<?php

declare(strict_types=1);

namespace Sluice\App\Dev;

use Sluice\App\Leaks\Known;
use Sluice\App\{Config, Finder, Found};
use Sluice\Http\{ErrorPages, Request};
use Sluice\Shared\Table;
use Sluice\{Limits, Mode, Server, Worker};

/**
 * The server of `serve --dev`: it reloads when files change, refreshes browsers, shows errors, and looks for leaks. Code that does not boot is served as the page of
 * its error, until it does.
 */
final class DevServer
{
    /** A reload waits for the last one's workers; streams of events should not hold it up. */
    private const SHUTDOWN_SECONDS = 1.0;
    private const WORKERS = 4;
    /** Each reload executes the command anew, with the environment of the first. */
    private const LAST_CONFIG = 'last config';
    private const HAS_TOLD = 'has told';

    private static ?Table $kept = null;

    private readonly Terminal $terminal;
    private readonly ErrorPage $page;
    private readonly LastError $lastError;
    private bool $hasBooted = false;

    public function __construct(private readonly string $folder, private readonly Config $config, private readonly bool $detectsLeaks)
    {
        $this->terminal = Terminal::ofThisProcess();
        $this->page = new ErrorPage($folder);
        $this->lastError = new LastError($this->page, $config->pidPath($folder));
    }

    /** What a reload can serve by when it cannot read the configuration; null before the first boot. */
    public static function lastConfig(): ?Config
    {
        $values = self::kept()->get(self::LAST_CONFIG);
        return \is_array($values) ? new Config(...$values) : null; // @phpstan-ignore argument.type (as keepConfig() has written them)
    }

    /**
     * Serves until it is told to stop.
     *
     * @param \Throwable|null $error what is served in place of the application
     */
    public function run(?\Throwable $error = null): void
    {
        self::settings();
        // What PHP cannot go on after, such as a function that is declared twice.
        \register_shutdown_function(function (): void {
            if ($this->hasBooted) {
                $this->lastError->keepLast();
            } elseif (($error = FatalError::last()) !== null) {
                $this->serve($error);
                // The server has ended well, though this script has not.
                exit(0);
            }
        });
        try {
            // Changes are there sooner, and the leak detector has less to compare.
            $found = $error ?? (new Finder($this->folder, $this->config->with(['warm' => 0]), isDev: true))->find();
        } catch (\Throwable $error) {
            Trace::shorten($error);
            $found = $error;
        }
        if ($found instanceof Found) {
            self::keepConfig($found->config);
        }
        $this->serve($found);
    }

    /** What boots leave for later ones. */
    private static function kept(): Table
    {
        return self::$kept ??= new Table('sluice.dev', 65_536);
    }

    private static function keepConfig(Config $config): void
    {
        if (\is_string($config->address)) {
            $values = ['address' => $config->address, 'mode' => $config->mode, 'workers' => $config->workers, 'pidFile' => $config->pidFile, 'logFile' => $config->logFile];
            self::kept()->set(self::LAST_CONFIG, $values);
        }
    }

    private function serve(Found|\Throwable $found): void
    {
        $this->hasBooted = true;
        $error = $found instanceof \Throwable ? $found : null;
        $config = $found instanceof Found ? $found->config : $this->config;
        $refresh = Refresh::ofThisBoot();
        $server = new Server(
            Mode::from($config->mode),
            workers: $config->workers ?? self::WORKERS,
            limits: self::limits($config->limits ?? new Limits()),
            pidFile: $config->pidPath($this->folder),
            logFile: $config->logFile,
        );
        $site = $server->http(
            $config->address,
            new DevHandler($found instanceof Found ? $found->handler : static fn() => throw $found, $this->page, $error === null ? $config->publicPath($this->folder) : null),
            ($found instanceof Found ? $found : new Found(static fn() => null, $config))->options(['errorPages' => self::errorPages($refresh), 'pageEnd' => $refresh->script()]),
            $config->httpLimits,
        );
        if ($found instanceof Found) {
            $found->addTo($server, $site);
        }
        $refresh->addTo($server, $site);
        $this->lastError->addTo($server, $site);
        $server->watch(Watching::of($this->folder), Watching::NAMES);
        if ($this->detectsLeaks && $error === null) {
            $server->detectLeaks(ignore: Known::PLACES);
        }
        $server->onResponse($this->terminal->request(...));
        // Exceptions of the application have pages already: this one has ended the code that makes them.
        $server->onError(fn(\Throwable $error, ?Request $request) => $request === null ? null : $this->lastError->keep($error));
        $server->onWorkerStart(fn(Worker $worker) => $this->tellOfBoot($worker, $error));
        if (self::kept()->add(self::HAS_TOLD, true)) {
            $this->terminal->development($this->detectsLeaks && $error === null);
        }
        $server->run();
    }

    private function tellOfBoot(Worker $worker, ?\Throwable $error): void
    {
        if ($worker->id !== 0) {
            return;
        }
        if ($worker->generation > 1 || $error !== null) {
            $this->terminal->reloaded($worker->generation, $error);
        }
    }

    /** Errors go to the log with all there is to say, assertions hold, and files that the application writes as it runs are read anew. */
    private static function settings(): void
    {
        \error_reporting(\E_ALL);
        foreach (['display_errors' => '0', 'log_errors' => '1', 'html_errors' => '0', 'opcache.validate_timestamps' => '1', 'opcache.revalidate_freq' => '0'] as $name => $value) {
            @\ini_set($name, $value);
        }
        if (\ini_get('zend.assertions') !== '-1') {
            \ini_set('zend.assertions', '1');
        }
    }

    private static function limits(Limits $given): Limits
    {
        $hasDebugger = \extension_loaded('xdebug');
        $values = ['shutdownSeconds' => \min($given->shutdownSeconds, self::SHUTDOWN_SECONDS)] + ($hasDebugger ? ['stallSeconds' => 0.0, 'killSeconds' => 0.0, 'queueSeconds' => 0.0] : []) + \get_object_vars($given);
        return new Limits(...$values); // @phpstan-ignore argument.type (the properties are the parameters)
    }

    /** The server's own pages, with the script that refreshes them. */
    private static function errorPages(Refresh $refresh): ErrorPages
    {
        $page = (string) \file_get_contents(\dirname(__DIR__, 2) . '/templates/error.html');
        return new ErrorPages(html: ['*' => \str_replace('</body>', "{$refresh->script()}</body>", $page)]);
    }
}
