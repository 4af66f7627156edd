<?php

declare(strict_types=1);

namespace Sluice\FrankenPhp;

use Composer\InstalledVersions;
use Sluice\Coroutine;
use Sluice\Coroutine\Channel;
use Sluice\Coroutine\ClosedException;
use Sluice\Http\Handler;
use Sluice\Http\Request;
use Sluice\Http\Response;
use Sluice\Http\Site;
use Sluice\Server;
use Sluice\Worker;
use Symfony\Component\Runtime\RuntimeInterface;
use Symfony\Component\Runtime\SymfonyRuntime;

/**
 * A worker script of FrankenPHP as a handler. Each worker includes the script once, and the script's loop calls
 * `frankenphp_handle_request()`. It needs the options `classic: true` and `concurrency: 1`.
 */
final class WorkerScript implements Handler
{
    private static ?self $current = null;

    /** @var callable|null what the script handles requests with */
    private $callback = null;
    /** @var Channel<true>|null the script waits for a request */
    private ?Channel $turns = null;
    /** @var Channel<true>|null a request was handled */
    private ?Channel $handled = null;
    private ?Request $request = null;
    private ?Response $response = null;

    /** @throws \Sluice\ServerException when there is no such file */
    public function __construct(private readonly string $file)
    {
        if (!\is_file($file)) {
            throw new \Sluice\ServerException("There is no worker script $file");
        }
    }

    /** @throws \Error outside of a worker script */
    public static function current(): self
    {
        return self::$current ?? throw new \Error('This is no worker script: FrankenPHP\'s functions need Sluice\FrankenPhp\WorkerScript');
    }

    /** Makes the server's workers run the script. */
    public function addTo(Server $server, ?Site $site = null): void
    {
        \putenv('FRANKENPHP_WORKER=1');
        $server->onWorkerStart($this->begin(...));
    }

    public function handle(Request $request, Response $response): void
    {
        try {
            $this->turns?->pop();
        } catch (ClosedException) {
            // The script has ended. Until another worker is there, requests are handled as it has handled them.
        }
        if ($this->callback === null) {
            $response->status(503)->end("The worker script has not called frankenphp_handle_request()\n");
            return;
        }
        [$this->request, $this->response] = [$request, $response];
        // exit() in the callback ends the script in FrankenPHP: another worker begins it anew.
        \register_shutdown_function(function () use ($request): void {
            if ($this->request === $request) {
                $this->end();
            }
        });
        try {
            ($this->callback)();
        } catch (\Throwable $error) {
            $this->end();
            throw $error;
        } finally {
            $this->request = $this->response = null;
        }
        if ($this->handled?->isClosed() === false) {
            $this->handled->push(true);
        }
    }

    /** What frankenphp_handle_request() does. */
    public function next(callable $callback): bool
    {
        $this->callback = $callback;
        try {
            $this->turns?->push(true);
            return $this->handled?->pop() ?? false;
        } catch (ClosedException) {
            return false;
        }
    }

    public function sendHeaders(int $status): int
    {
        $links = [];
        foreach (\headers_list() as $field) {
            if (\stripos($field, 'Link:') === 0) {
                $links[] = \trim(\substr($field, 5));
            }
        }
        if ($status === 103 && $links !== []) {
            $this->response?->earlyHints(...$links);
        }
        return $status;
    }

    public function finish(): bool
    {
        if ($this->response === null || $this->response->isEnded()) {
            return false;
        }
        $body = '';
        while (\ob_get_level() > 0 && ($part = \ob_get_clean()) !== false) {
            $body = $part . $body;
        }
        $status = \http_response_code();
        $this->response->status(\is_int($status) ? $status : 200);
        foreach (\headers_list() as $field) {
            [$name, $value] = \explode(':', $field, 2) + ['', ''];
            $this->response->addHeader($name, \trim($value));
        }
        $this->response->end($body);
        return true;
    }

    /** @return array<string, string> */
    public function requestHeaders(): array
    {
        $all = [];
        foreach ($this->request?->headers() ?? [] as $name => $values) {
            $all[\ucwords($name, '-')] = \implode(', ', $values);
        }
        return $all;
    }

    /** @return array<string, string> */
    public function responseHeaders(): array
    {
        $all = [];
        foreach (\headers_list() as $field) {
            [$name, $value] = \explode(':', $field, 2) + ['', ''];
            $all[$name] = isset($all[$name]) ? "$all[$name], " . \trim($value) : \trim($value);
        }
        return $all;
    }

    private function begin(): void
    {
        self::$current = $this;
        $this->turns = new Channel(1);
        $this->handled = new Channel(1);
        $_SERVER['FRANKENPHP_WORKER'] = $_ENV['FRANKENPHP_WORKER'] = '1';
        $_SERVER['SCRIPT_FILENAME'] = $this->file;
        Coroutine\spawn(function (): void {
            try {
                self::include($this->file);
            } finally {
                $this->end();
            }
        });
        Coroutine\spawn(function (): void {
            Worker::waitForEnd();
            $this->turns?->close();
            $this->handled?->close();
        });
    }

    private static function include(string $file): void
    {
        $application = require $file;
        if ($application instanceof \Closure) {
            self::runBySymfony($application);
        }
    }

    /** What Symfony's autoload_runtime.php does with what the script returns, and does not where Composer's autoloader was there before it. */
    private static function runBySymfony(\Closure $application): void
    {
        $class = $_SERVER['APP_RUNTIME'] ?? $_ENV['APP_RUNTIME'] ?? SymfonyRuntime::class;
        if (!\is_string($class) || !\is_a($class, RuntimeInterface::class, true)) {
            throw new \Error('The worker script returns a function. Symfony\'s runtime would call it: composer require symfony/runtime');
        }
        $options = $_SERVER['APP_RUNTIME_OPTIONS'] ?? $_ENV['APP_RUNTIME_OPTIONS'] ?? [];
        $options = \is_string($options) ? \json_decode($options, true, 512, \JSON_THROW_ON_ERROR) : $options;
        $project = \realpath(InstalledVersions::getRootPackage()['install_path']);
        $runtime = new $class((\is_array($options) ? $options : []) + ['project_dir' => $project]);
        [$callable, $arguments] = $runtime->getResolver($application)->resolve();
        $made = $callable(...$arguments);
        $runtime->getRunner(\is_object($made) ? $made : null)->run();
    }

    /** The script has ended, or must: another worker takes this one's place. */
    private function end(): void
    {
        $this->turns?->close();
        $this->handled?->close();
        if (!Worker::isStopping()) {
            Worker::replace();
        }
    }
}
