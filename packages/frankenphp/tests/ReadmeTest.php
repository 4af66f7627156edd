<?php

declare(strict_types=1);

namespace Sluice\FrankenPhp\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Testing\Readme;

#[CoversNothing]
final class ReadmeTest extends TestCase
{
    public function testEveryCommandPrintsWhatThePageSays(): void
    {
        self::assertSame(3, Readme::follow(\dirname(__DIR__) . '/README.md'));
    }
}
