<?php

declare(strict_types=1);

namespace Sluice\OpenTelemetry\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Sluice\Testing\Readme;

#[CoversNothing]
final class ReadmeTest extends TestCase
{
    public function testEveryCommandPrintsWhatThePageSays(): void
    {
        self::assertGreaterThan(2, Readme::follow(\dirname(__DIR__) . '/README.md'));
    }
}
