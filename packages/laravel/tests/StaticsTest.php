<?php

declare(strict_types=1);

namespace Sluice\Laravel\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\Laravel\FrameworkStatics;

/** Whether all static properties of the framework that is installed are known. `UPDATE_STATICS=1` writes docs/statics.md anew. */
#[CoversClass(FrameworkStatics::class)]
final class StaticsTest extends TestCase
{
    private const FRAMEWORK = __DIR__ . '/../../../build/packages/vendor/laravel/framework/src/Illuminate';
    private const PAGE = __DIR__ . '/../docs/statics.md';

    /** @var array<string, list<\ReflectionProperty>> by class */
    private static array $statics = [];
    private static string $sources = '';

    public static function setUpBeforeClass(): void
    {
        foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(self::FRAMEWORK, \FilesystemIterator::SKIP_DOTS)) as $file) {
            \assert($file instanceof \SplFileInfo);
            $source = $file->getExtension() === 'php' ? (string) \file_get_contents($file->getPathname()) : '';
            // A declaration is no assignment.
            self::$sources .= \preg_replace('/^\s*(?:public|protected|private) static .*$/m', '', $source);
            $isClass = \preg_match('/^namespace ([^;]+);/m', $source, $namespace) === 1 && \preg_match('/^(?:(?:abstract|final|readonly) )*class (\w+)/m', $source, $name) === 1;
            // Classes for tests of applications extend classes of PHPUnit's.
            if (!$isClass || \preg_match('/\\\\(?:Foundation|Support)\\\\Testing\b/', $namespace[1]) === 1 || \str_starts_with($namespace[1], 'Illuminate\Testing')) {
                continue;
            }
            $class = "$namespace[1]\\$name[1]";
            if (!\class_exists($class)) {
                continue;
            }
            foreach ((new \ReflectionClass($class))->getProperties(\ReflectionProperty::IS_STATIC) as $property) {
                if ($property->class === $class) {
                    self::$statics[$class][] = $property;
                }
            }
        }
        \ksort(self::$statics);
    }

    public function testAllClassesAreListed(): void
    {
        self::assertSame(\array_keys(self::$statics), FrameworkStatics::classes());
    }

    public function testNothingWritesToThoseThatAreCalledConstant(): void
    {
        $names = [];
        foreach (self::$statics as $class => $properties) {
            foreach ($properties as $property) {
                $names[] = $name = "$class::\$$property->name";
                $isConstant = !$property->isPublic() && \preg_match("/::\\$$property->name\\b(?:\\[[^\\]]*\\])*\\s*(?:=[^=>]|\\?\\?=|\\+\\+|--|[.+]=)|(?:\\+\\+|--|unset\\()\\s*(?:static|self)::\\$$property->name\\b/", self::$sources) === 0;
                if (\in_array($name, FrameworkStatics::CONSTANT, true)) {
                    self::assertTrue($isConstant, "$name is written to");
                }
            }
        }
        self::assertSame([], \array_diff([...FrameworkStatics::CONSTANT, ...\array_keys(FrameworkStatics::SHARED)], $names), 'these are not there');
    }

    /** From PHP 8.3 on a class has a property of its own for a trait that its parent uses as well; before, it shared the parent's, which the page lists. */
    private static function isOfTraitOfParent(string $class, string $property): bool
    {
        $parent = \get_parent_class($class);
        $ofTraits = \array_filter(\class_uses($class) ?: [], static fn(string $trait) => \property_exists($trait, $property));
        return $parent !== false && \array_intersect($ofTraits, \class_uses_recursive($parent)) !== [];
    }

    public function testThePageListsAll(): void
    {
        $rows = '';
        foreach (self::$statics as $class => $properties) {
            foreach ($properties as $property) {
                if (self::isOfTraitOfParent($class, $property->name)) {
                    continue;
                }
                $name = "$class::\$$property->name";
                $rows .= '| `' . \substr($class, \strlen('Illuminate\\')) . "` | `\$$property->name` | " . match (true) {
                    \in_array($name, FrameworkStatics::CONSTANT, true) => 'constant',
                    isset(FrameworkStatics::SHARED[$name]) => 'shared: ' . FrameworkStatics::SHARED[$name],
                    default => 'each request\'s own',
                } . " |\n";
            }
        }
        $head = <<<'END'
            # Static properties of Laravel

            What becomes of each static property of the framework's classes, those for tests of applications aside. A test writes this page, and fails when the framework has others.

            - **Each request's own**: it begins with what the boot of its application has left there; what it sets is gone with it.
            - **Constant**: nothing in the framework writes to it, and nothing else can.
            - **Shared**: a cache that would be the same for each request, and is bounded by the number of classes.

            | class, below `Illuminate` | property | |
            |---|---|---|

            END;
        if (\getenv('UPDATE_STATICS') !== false) {
            \file_put_contents(self::PAGE, $head . $rows);
        }
        self::assertSame($head . $rows, \file_get_contents(self::PAGE));
    }
}
