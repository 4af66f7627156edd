<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\App\Config;

#[CoversClass(Config::class)]
final class ConfigTest extends TestCase
{
    private const VALUES = ['address' => '127.0.0.1:9', 'mode' => 'base', 'workers' => '3', 'kernels' => '5', 'public' => 'web', 'pidFile' => 'other.pid', 'logFile' => 'log'];

    /** Whatever option is added later: the environment must be able to set it. */
    public function testTheEnvironmentSetsEachOption(): void
    {
        $project = new Project(['application.php' => '<?php return "the application";']);
        $defaults = \get_object_vars(new Config());
        foreach ((new \ReflectionMethod(Config::class, '__construct'))->getParameters() as $parameter) {
            $name = $parameter->name;
            $type = $parameter->getType();
            $class = $type instanceof \ReflectionNamedType && !$type->isBuiltin() ? $type->getName() : null;
            if ($class === \Closure::class) {
                $config = Config::of($project->folder, [], ['SLUICE_APPLICATION' => 'application.php']);
                self::assertSame('the application', $config->application === null ? null : ($config->application)());
            } elseif ($name === 'php') {
                $config = Config::of($project->folder, [], ['SLUICE_PHP_SETTINGS' => 'opcache.jit=tracing  user_agent=a=b memory_limit=']);
                self::assertSame(['opcache.jit' => 'tracing', 'user_agent' => 'a=b', 'memory_limit' => ''], $config->php);
            } elseif ($class !== null && \class_exists($class)) {
                $this->checkLimits($project->folder, $name, $class);
            } else {
                self::assertArrayHasKey($name, self::VALUES, "a value to test the option $name with");
                $values = \get_object_vars(Config::of($project->folder, [], [Config::variable($name) => self::VALUES[$name]]));
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
            ['SLUICE_LIMITS_CONNECTIONS', '0', '$connections'],
            ['SLUICE_HTTP_LIMITS_BODY_BYTES', '1.5', 'SLUICE_HTTP_LIMITS_BODY_BYTES must be a number'],
            ['SLUICE_APPLICATION', 'nowhere.php', 'nowhere.php, does not exist'],
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

    /** @param class-string $class */
    private function checkLimits(string $folder, string $name, string $class): void
    {
        foreach ((new \ReflectionMethod($class, '__construct'))->getParameters() as $parameter) {
            $type = $parameter->getType();
            if (!$type instanceof \ReflectionNamedType || !$type->isBuiltin()) {
                continue;
            }
            // The default is allowed for each limit, and another value may not be.
            $value = $parameter->isDefaultValueAvailable() ? $parameter->getDefaultValue() : null;
            $value ??= \get_object_vars((new \Sluice\Limits())->http)[$parameter->name] ?? 1;
            $variable = Config::variable($name . \ucfirst($parameter->name));
            $limits = Config::of($folder, [], [$variable => \var_export($value, true)])->$name;
            self::assertInstanceOf($class, $limits, $variable);
            self::assertSame($value, \get_object_vars($limits)[$parameter->name], $variable);
        }
    }
}
