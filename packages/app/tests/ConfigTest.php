<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\App\{Config, Environment};
use Sluice\Http\{AccessLog, Bodies, Compression, Encoding, ErrorFormat, LogFormat, Versions};
use Sluice\{Dispatch, Limits, Listener, ProxyFields, Server, TlsVersion};

#[CoversClass(Config::class)]
#[CoversClass(Environment::class)]
final class ConfigTest extends TestCase
{
    private const VALUES = ['address' => '127.0.0.1:9', 'mode' => 'base', 'workers' => '3', 'kernels' => '5', 'warm' => '2', 'public' => 'web', 'linksTo' => 'files:/srv', 'pidFile' => 'other.pid', 'logFile' => 'log',
        'maxWorkers' => '4', 'reactors' => '2', 'maxRequests' => '100', 'maxSeconds' => '60', 'maxMemoryBytes' => '2000000', 'admin' => '127.0.0.1:9400', 'adminToken' => 'a-token-of-this-test', 'canarySeconds' => '60.5', 'canaryShare' => '0.25'];

    /** Whatever option is added later: the environment must be able to set it. */
    public function testTheEnvironmentSetsEachOption(): void
    {
        $project = new Project([
            'application.php' => '<?php return "the application";',
            'extend.php' => '<?php return function (Sluice\Server $server, Sluice\Http\Site $site): void { $GLOBALS["extended"] = [$server, $site]; };',
        ]);
        $server = new Server();
        $site = $server->http('127.0.0.1:1');
        $defaults = \get_object_vars(new Config());
        foreach ((new \ReflectionMethod(Config::class, '__construct'))->getParameters() as $parameter) {
            $name = $parameter->name;
            $type = $parameter->getType();
            $class = $type instanceof \ReflectionNamedType && !$type->isBuiltin() ? $type->getName() : null;
            if ($name === 'extend') {
                $config = Config::of($project->folder, [], ['SLUICE_EXTEND' => 'extend.php']);
                self::assertNotNull($config->extend);
                ($config->extend)($server, $site);
                self::assertSame([$server, $site], $GLOBALS['extended']);
            } elseif ($class === \Closure::class) {
                $config = Config::of($project->folder, [], ['SLUICE_APPLICATION' => 'application.php']);
                self::assertSame('the application', $config->application === null ? null : ($config->application)());
            } elseif ($name === 'php') {
                $config = Config::of($project->folder, [], ['SLUICE_PHP_SETTINGS' => 'opcache.jit=tracing  user_agent=a=b memory_limit=']);
                self::assertSame(['opcache.jit' => 'tracing', 'user_agent' => 'a=b', 'memory_limit' => ''], $config->php);
            } elseif ($class !== null && \class_exists($class)) {
                $this->checkObject($project->folder, Environment::variable($name), $class, static fn(Config $config): mixed => $config->$name);
            } else {
                self::assertArrayHasKey($name, self::VALUES, "a value to test the option $name with");
                $values = \get_object_vars(Config::of($project->folder, [], [Environment::variable($name) => self::VALUES[$name]]));
                self::assertEquals([$name => self::VALUES[$name]] + $defaults, $values);
            }
        }
    }

    public function testTheCommandLineOverridesTheEnvironmentAndThatTheFile(): void
    {
        $project = new Project(['sluice.php' => '<?php return new Sluice\App\Config(mode: "base", workers: 2, kernels: 4, limits: new Sluice\Limits(connections: 7, openFiles: 5));']);
        $config = Config::of($project->folder, ['workers' => '9', 'mode' => null], ['SLUICE_WORKERS' => '3', 'SLUICE_KERNELS' => '6', 'SLUICE_LIMITS_CONNECTIONS' => '8']);
        self::assertSame(['base', 9, 6, 8, 5], [$config->mode, $config->workers, $config->kernels, $config->limits?->connections, $config->limits?->openFiles]);
    }

    public function testWhatCannotBeIsNamed(): void
    {
        $project = new Project(['composer.json' => '{}']);
        foreach ([
            ['SLUICE_LIMITS_CONNECTIONS', 'many', 'SLUICE_LIMITS_CONNECTIONS must be a number, "many" given'],
            ['SLUICE_LIMITS_CONNECTIONS', '0', 'SLUICE_LIMITS_CONNECTIONS must be between 1 and'],
            ['SLUICE_LIMITS_WEB_SOCKET_MESSAGE_BYTES', '-1', 'SLUICE_LIMITS_WEB_SOCKET_MESSAGE_BYTES must be '],
            ['SLUICE_WORKERS', 'many', 'SLUICE_WORKERS must be a number, "many" given'],
            ['SLUICE_CANARY_SHARE', '5 %', 'SLUICE_CANARY_SHARE must be a number, "5 %" given'],
            ['SLUICE_HTTP_DISPATCH', 'any', 'SLUICE_HTTP_DISPATCH must be least-busy or sticky, "any" given'],
            ['SLUICE_HTTP_COMPRESSION', 'gzip', 'SLUICE_HTTP_COMPRESSION must be on or off, "gzip" given'],
            ['SLUICE_HTTP_COMPRESSION_ENCODINGS', 'gzip,lzma', 'SLUICE_HTTP_COMPRESSION_ENCODINGS must be gzip, br or zstd, "lzma" given'],
            ['SLUICE_HTTP_ERROR_PAGES_HTML', '{', 'SLUICE_HTTP_ERROR_PAGES_HTML must be values apart by commas, or JSON, "{" given: Syntax error'],
            ['SLUICE_HTTP_ACCESS_LOG_FORMAT', 'json', 'SLUICE_HTTP_ACCESS_LOG_FORMAT needs SLUICE_HTTP_ACCESS_LOG_PATH, too'],
            ['SLUICE_HTTP_SHOW_ERRORS', 'perhaps', 'SLUICE_HTTP_SHOW_ERRORS must be on or off, "perhaps" given'],
            ['SLUICE_TLS_KEY', 'key.pem', 'SLUICE_TLS_KEY needs SLUICE_TLS_CERTIFICATE, too'],
            ['SLUICE_PROXIES_ADDRESSES', 'nginx', 'SLUICE_PROXIES_ADDRESSES must hold IP addresses'],
            ['SLUICE_SOCKET_MODE', '999', 'SLUICE_SOCKET_MODE must be permissions such as 0660, "999" given'],
            ['SLUICE_HTTP_LIMITS_BODY_BYTES', '1.5', 'SLUICE_HTTP_LIMITS_BODY_BYTES must be a number'],
            ['SLUICE_APPLICATION', 'nowhere.php', 'nowhere.php, does not exist'],
            ['SLUICE_EXTEND', 'nowhere.php', 'The file of SLUICE_EXTEND, '],
            ['SLUICE_MAX_REQUESTS', 'many', 'SLUICE_MAX_REQUESTS must be a number, "many" given'],
            ['SLUICE_PHP_SETTINGS', 'opcache.jit', 'SLUICE_PHP_SETTINGS must be settings of PHP'],
            ['SLUICE_PHP_SETTINGS', '=1', 'SLUICE_PHP_SETTINGS must be settings of PHP'],
        ] as [$variable, $value, $sentence]) {
            try {
                Config::of($project->folder, [], [$variable => $value]);
                self::fail("$variable=$value was taken");
            } catch (\ValueError $error) {
                self::assertStringContainsString($sentence, $error->getMessage());
            }
        }
    }

    public function testAListenerIsMadeOfTheEnvironment(): void
    {
        $project = new Project(['composer.json' => '{}']);
        \exec('openssl req -x509 -newkey rsa:2048 -nodes -keyout ' . \escapeshellarg("$project->folder/key.pem") . ' -out ' . \escapeshellarg("$project->folder/cert.pem") . ' -days 1 -subj /CN=localhost 2>/dev/null');
        $tls = ['SLUICE_TLS_CERTIFICATE' => "$project->folder/cert.pem", 'SLUICE_TLS_KEY' => "$project->folder/key.pem", 'SLUICE_TLS_MINIMUM_VERSION' => '1.3'];
        $address = Config::of($project->folder, [], $tls)->address;
        self::assertInstanceOf(Listener::class, $address);
        self::assertSame(['127.0.0.1:8080', true, null], [$address->address, $address->tls !== null, $address->proxies]);
        $address = Config::of($project->folder, ['address' => 'unix:/tmp/a'], ['SLUICE_ADDRESS' => '127.0.0.1:1', 'SLUICE_SOCKET_MODE' => '0600', 'SLUICE_PROXIES_ADDRESSES' => '10.0.0.0/8, unix', 'SLUICE_PROXIES_FIELDS' => 'forwarded'])->address;
        self::assertInstanceOf(Listener::class, $address);
        self::assertSame(['unix:/tmp/a', 0o600, true], [$address->address, $address->socketMode, $address->proxies !== null]);
        // What the file says is kept, unless the environment names another address.
        \file_put_contents("$project->folder/sluice.php", '<?php return new Sluice\App\Config(address: new Sluice\Listener("unix:/tmp/b", socketMode: 0o666));');
        $address = Config::of($project->folder, [], ['SLUICE_PROXIES_ADDRESSES' => 'unix'])->address;
        self::assertInstanceOf(Listener::class, $address);
        self::assertSame(['unix:/tmp/b', 0o666, true], [$address->address, $address->socketMode, $address->proxies !== null]);
        self::assertSame('127.0.0.1:1', Config::of($project->folder, [], ['SLUICE_ADDRESS' => '127.0.0.1:1'])->address);
    }

    public function testOptionsOfRequestsAreMadeOfTheEnvironment(): void
    {
        $project = new Project(['sluice.php' => '<?php return new Sluice\App\Config(http: new Sluice\Http\Options(concurrency: 3, compression: new Sluice\Http\Compression(gzipLevel: 2)));']);
        $http = Config::of($project->folder, [], [
            'SLUICE_HTTP_DISPATCH' => 'sticky', 'SLUICE_HTTP_BODIES' => 'Stream', 'SLUICE_HTTP_CANCEL_ON_DISCONNECT' => 'off', 'SLUICE_HTTP_VERSIONS' => 'http2',
            'SLUICE_HTTP_COMPRESSION_ENCODINGS' => 'zstd, Brotli', 'SLUICE_HTTP_ACCESS_LOG_PATH' => 'php://stdout', 'SLUICE_HTTP_ACCESS_LOG_FORMAT' => 'JSON',
            'SLUICE_HTTP_ERROR_PAGES_HTML' => '{"404": "<h1>not here</h1>"}',
        ])->http;
        self::assertNotNull($http);
        self::assertSame([Dispatch::Sticky, Bodies::Stream, false, Versions::Http2, 3], [$http->dispatch, $http->bodies, $http->cancelOnDisconnect, $http->versions, $http->concurrency]);
        self::assertInstanceOf(Compression::class, $http->compression);
        self::assertSame([[Encoding::Zstd, Encoding::Brotli], 2], [$http->compression->encodings, $http->compression->gzipLevel]);
        self::assertSame(['php://stdout', LogFormat::Json], [$http->accessLog?->path, $http->accessLog?->format]);
        self::assertNotNull($http->errorPages);
        self::assertFalse(Config::of($project->folder, [], ['SLUICE_HTTP_COMPRESSION' => 'off'])->http?->compression);
        self::assertInstanceOf(Compression::class, Config::of('/nowhere', [], ['SLUICE_HTTP_COMPRESSION' => 'on'])->http?->compression);
    }

    /**
     * Each number, switch and choice is set by its variable; objects go on.
     *
     * @param class-string $class
     * @param \Closure(Config): mixed $get
     */
    private function checkObject(string $folder, string $prefix, string $class, \Closure $get): void
    {
        foreach ((new \ReflectionMethod($class, '__construct'))->getParameters() as $parameter) {
            $name = $parameter->name;
            $variable = Environment::variable($name, $prefix);
            $type = $parameter->getType();
            $nested = $type instanceof \ReflectionNamedType && !$type->isBuiltin() && \class_exists($type->getName()) && !\enum_exists($type->getName()) ? $type->getName() : null;
            if ($nested !== null && !\in_array($nested, [AccessLog::class, \Sluice\Http\ErrorPages::class], true)) {
                $this->checkObject($folder, $variable, $nested, static fn(Config $config): mixed => ((object) $get($config))->$name);
            }
            if (!$type instanceof \ReflectionNamedType || !$type->isBuiltin()) {
                continue;
            }
            // The default is allowed for each limit, and another value may not be.
            $value = $parameter->isDefaultValueAvailable() ? $parameter->getDefaultValue() : null;
            $value ??= \get_object_vars((new Limits())->http)[$name] ?? match ($type->getName()) {
                'bool' => true,
                'string' => 'text',
                default => 1,
            };
            $object = $get(Config::of($folder, [], [$variable => \is_string($value) ? $value : \var_export($value, true)]));
            self::assertInstanceOf($class, $object, $variable);
            self::assertEquals($value, \get_object_vars($object)[$name], $variable);
            self::assertContains($variable, Config::variables());
        }
    }
}
