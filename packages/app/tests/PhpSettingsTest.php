<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\App\PhpSettings;

#[CoversClass(PhpSettings::class)]
final class PhpSettingsTest extends TestCase
{
    private const OF_A_COMMAND_LINE = ['opcache.enable' => '1', 'opcache.enable_cli' => '', 'opcache.validate_timestamps' => '1'];

    public function testWhatACommandLineLacks(): void
    {
        self::assertSame(['-d', 'opcache.enable_cli=1', '-d', 'opcache.validate_timestamps=0'], PhpSettings::options([], self::OF_A_COMMAND_LINE, ['php', 'sluice', 'serve']));
    }

    public function testWhatIsThereIsNotSetAgain(): void
    {
        self::assertSame([], PhpSettings::options([], PhpSettings::RESIDENT, []));
        self::assertSame([], PhpSettings::options([], ['opcache.validate_timestamps' => ''] + PhpSettings::RESIDENT, []));
        // A setting that stands there is not set a second time, even when PHP has not taken it.
        self::assertSame([], PhpSettings::options([], self::OF_A_COMMAND_LINE, ['php', '-d', 'opcache.enable_cli=1', '-d', 'opcache.validate_timestamps=0']));
    }

    public function testAPhpWithoutOpcacheGetsNone(): void
    {
        self::assertSame([], PhpSettings::options(['no.such' => '1'], [], []));
    }

    public function testAProjectHasSettingsOfItsOwn(): void
    {
        $own = ['opcache.jit' => 'tracing', 'opcache.validate_timestamps' => '1'];
        self::assertSame(['-d', 'opcache.jit=tracing', '-d', 'opcache.enable_cli=1'], PhpSettings::options($own, ['opcache.jit' => 'disable'] + self::OF_A_COMMAND_LINE, []));
    }
}
