<?php

declare(strict_types=1);

namespace Sluice\Stubs\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

#[CoversNothing]
final class StubsTest extends TestCase
{
    /** The stubs with a PHP that does not have the extension. */
    public function testPhpStanKnowsTheExtension(): void
    {
        $vendor = \dirname(__DIR__, 3) . '/build/packages/vendor';
        \exec(\implode(' ', \array_map(escapeshellarg(...), [
            \PHP_BINARY, "$vendor/bin/phpstan", 'analyse', '-c', __DIR__ . '/project/phpstan.neon', '--no-progress', '--error-format=raw', '--memory-limit=1G',
        ])) . ' 2>/dev/null', $lines);
        $found = \array_map(static fn(string $line) => (string) \preg_replace('~^.*code\.php:(\d+):~', '$1: ', $line), $lines);
        self::assertCount(3, $found, \implode("\n", $lines));
        self::assertStringStartsWith('14: Parameter #1 $item of method Sluice\Coroutine\Channel<int>::push() expects int, string given', $found[0]);
        self::assertStringStartsWith('20: Function ask() should return int but returns string', $found[1]);
        self::assertStringStartsWith('27: Call to an undefined method Sluice\Http\Response::txt()', $found[2]);
    }
}
