<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Sluice\Coroutine;

/**
 * Static properties of the framework, of the application and of its libraries. Each request has its own values of all static properties that exist
 * when the workers begin, except those that are shared for good reason. Values that an application sets while it boots are remembered with the
 * application, and set again for each request that gets it.
 *
 * @internal
 */
final class Statics
{
    /** Namespaces whose statics stay the process's. */
    private const SHARED_NAMESPACES = [
        'Composer\\' => 'what autoloading knows',
        'Sluice\\' => 'pools and other things of the worker',
        'PHPUnit\\' => 'tests',
    ];

    /** @var list<\ReflectionProperty> */
    private array $properties = [];
    /** @var array<int, mixed> what is outside of all requests, by the same index; for those that are not initialised $this */
    private array $outside = [];
    /** @var array<string, mixed> by class::property, from before the first application was booted */
    private array $before = [];

    /** @var list<string> */
    private array $shared = [];

    /** To be made before the first application is booted. */
    public function __construct()
    {
        foreach (FrameworkStatics::classes() as $class) {
            self::load($class);
        }
        foreach ($this->find() as $name => $property) {
            $this->before[$name] = $property->isInitialized() ? $property->getValue() : $this;
        }
    }

    /** @param list<string> $folders whose classes with static properties are loaded, that they may be isolated */
    public function loadFolders(array $folders): void
    {
        foreach ($folders as $folder) {
            if (!\is_dir($folder)) {
                continue;
            }
            foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($folder, \FilesystemIterator::SKIP_DOTS)) as $file) {
                \assert($file instanceof \SplFileInfo);
                $source = $file->getExtension() === 'php' ? (string) \file_get_contents($file->getPathname()) : '';
                if (\preg_match('/\bstatic\s+[^;(){}]*\$\w/', $source) === 1 && \preg_match('/^namespace\s+([\w\\\\]+)\s*;/m', $source, $namespace) === 1
                    && \preg_match('/^(?:(?:abstract|final|readonly)\s+)*class\s+(\w+)/m', $source, $class) === 1) {
                    self::load("$namespace[1]\\$class[1]");
                }
            }
        }
    }

    /**
     * Isolates the static properties that exist now; to be called when the first application is booted.
     *
     * @param list<string> $shared those that are not: `Some\Class::$property`, a class, or a namespace with a backslash behind it
     */
    public function isolate(array $shared): void
    {
        $this->shared = $shared;
        foreach ($this->find() as $name => $property) {
            Coroutine\isolate($property->class, $property->name);
            $this->properties[] = $property;
            $this->outside[] = $this->before[$name] ?? self::defaultOf($property) ?? ($property->isInitialized() ? null : $this);
        }
        $this->before = [];
    }

    /**
     * Values of this request that differ from the values outside of requests.
     *
     * @return array<int, mixed> for restore()
     */
    public function remember(): array
    {
        $values = [];
        foreach ($this->properties as $index => $property) {
            if ($property->isInitialized()) {
                $value = $property->getValue();
                if ($value !== $this->outside[$index]) {
                    $values[$index] = $value;
                }
            }
        }
        return $values;
    }

    /** @param array<int, mixed> $values what remember() has returned */
    public function restore(array $values): void
    {
        foreach ($values as $index => $value) {
            $this->properties[$index]->setValue(null, $value);
        }
    }

    /** Gives the outside the values that it had before an application was booted. */
    public function resetOutside(): void
    {
        foreach ($this->properties as $index => $property) {
            if ($this->outside[$index] !== $this) {
                try {
                    $property->setValue(null, $this->outside[$index]);
                } catch (\TypeError) {
                    // The property has no default and takes no null: it keeps the boot's value.
                    $this->outside[$index] = $property->getValue();
                }
            }
        }
    }

    /** @return list<string> `Some\Class::$property` of all that are isolated */
    public function names(): array
    {
        return \array_map(static fn(\ReflectionProperty $property) => "$property->class::\$$property->name", $this->properties);
    }

    /** @return array<string, \ReflectionProperty> of all classes that are loaded, by class::$property */
    private function find(): array
    {
        $found = [];
        foreach (\get_declared_classes() as $class) {
            $reflection = new \ReflectionClass($class);
            if ($reflection->isInternal() || $reflection->isAnonymous()) {
                continue;
            }
            foreach ($reflection->getProperties(\ReflectionProperty::IS_STATIC) as $property) {
                $name = "$property->class::\$$property->name";
                if ($property->class === $class && !$this->isShared($name)) {
                    $found[$name] = $property;
                }
            }
        }
        return $found;
    }

    private function isShared(string $name): bool
    {
        foreach ([...\array_keys(self::SHARED_NAMESPACES), ...$this->shared] as $shared) {
            if (\str_starts_with($name, $shared) && ($shared === $name || \str_ends_with($shared, '\\') || \str_starts_with($name, "$shared::"))) {
                return true;
            }
        }
        return isset(FrameworkStatics::SHARED[$name]) || \in_array($name, FrameworkStatics::CONSTANT, true);
    }

    private static function defaultOf(\ReflectionProperty $property): mixed
    {
        return $property->getDeclaringClass()->getDefaultProperties()[$property->name] ?? null;
    }

    /** One that needs a package that is not there is not loaded later, either. */
    private static function load(string $class): void
    {
        try {
            \class_exists($class);
        } catch (\Throwable) {
        }
    }
}
