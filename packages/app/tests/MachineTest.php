<?php

declare(strict_types=1);

namespace Sluice\App\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Sluice\App\{Finding, Machine};

#[CoversClass(Machine::class)]
final class MachineTest extends TestCase
{
    private const GOOD = [
        'memory_limit' => '256M', 'opcache.enable' => '1', 'opcache.enable_cli' => '1', 'opcache.validate_timestamps' => '0', 'opcache.jit' => 'tracing',
        'opcache.jit_buffer_size' => '67108864', 'zend.assertions' => '-1', 'display_errors' => '0',
    ];

    /**
     * @param array<string, string> $settings
     * @param list<string> $extensions
     * @param array<string, int> $kernel
     * @return array<string, Finding> those with advice, by what they are about
     */
    private static function advice(array $settings = [], array $extensions = ['sluice', 'zend opcache'], array $kernel = ['vm.max_map_count' => 1_048_576, 'net.core.somaxconn' => 4096], ?int $descriptors = null, string $php = '8.4.1', string $release = '6.1.0'): array
    {
        $found = [];
        foreach ((new Machine($php, $settings + self::GOOD, $extensions, $release, $kernel, $descriptors))->findings() as $finding) {
            if ($finding->advice !== null) {
                $found[$finding->what] = $finding;
            }
        }
        return $found;
    }

    public function testAGoodMachineGetsNoAdvice(): void
    {
        self::assertSame([], self::advice());
    }

    public function testEachSettingHasItsAdvice(): void
    {
        $about = [
            'memory_limit' => ['memory_limit' => '-1'],
            'opcache.enable_cli' => ['opcache.enable_cli' => '0'],
            'opcache.validate_timestamps' => ['opcache.validate_timestamps' => '1'],
            'opcache.jit' => ['opcache.jit' => 'disable'],
            'zend.assertions' => ['zend.assertions' => '1'],
            'display_errors' => ['display_errors' => 'STDOUT'],
        ];
        foreach ($about as $what => $settings) {
            self::assertSame([$what], \array_keys(self::advice($settings)), $what);
        }
    }

    public function testTheMachineHasItsAdvice(): void
    {
        self::assertSame(['open files'], \array_keys(self::advice(descriptors: 1024)));
        self::assertSame([], self::advice(descriptors: 100_000));
        $kernel = self::advice(kernel: ['vm.max_map_count' => 65_530, 'net.core.somaxconn' => 128]);
        self::assertSame(['vm.max_map_count', 'net.core.somaxconn'], \array_keys($kernel));
        self::assertStringEndsWith('sysctl -w vm.max_map_count=262144', (string) $kernel['vm.max_map_count']->advice);
        self::assertSame([], self::advice(kernel: []));
        self::assertSame(['PHP', 'kernel'], \array_keys(self::advice(php: '8.2.10', release: '5.4.0-100-generic')));
    }

    public function testServeSetsOpcacheItself(): void
    {
        $settings = ['opcache.enable_cli' => '', 'opcache.validate_timestamps' => '1'];
        self::assertSame([], self::advice($settings, ['sluice', 'zend opcache', 'pcntl']));
        $values = [];
        foreach ((new Machine('8.4.1', $settings + self::GOOD, ['sluice', 'zend opcache', 'pcntl'], '6.1.0', [], null))->findings() as $finding) {
            $values[$finding->what] = $finding->value;
        }
        self::assertSame('0; sluice serve sets it to 1', $values['opcache.enable_cli']);
        self::assertSame('1; sluice serve sets it to 0', $values['opcache.validate_timestamps']);
    }

    public function testExtensionsMatter(): void
    {
        $found = self::advice(extensions: ['xdebug']);
        self::assertSame(['extension sluice', 'opcache', 'extensions for developers'], \array_keys($found));
        self::assertTrue($found['extension sluice']->isFatal);
        self::assertFalse($found['opcache']->isFatal);
    }

    public function testVariablesThatAreNearlyRightAreNamed(): void
    {
        $findings = (new Machine('8.4.1', self::GOOD, ['sluice'], '6.1.0', [], null, ['SLUICE_WORKERS', 'SLUICE_WORKER', 'SLUICE_HTTP_LIMIT_BODY_BYTES', 'SLUICE_APPLICATIONS', 'SLUICE_OF_MY_OWN']))->findings();
        $told = \array_filter($findings, static fn(Finding $finding) => \str_contains($finding->what, 'SLUICE_'));
        self::assertSame([['the variable SLUICE_WORKER', "The option's variable is SLUICE_WORKERS."], ['the variable SLUICE_HTTP_LIMIT_BODY_BYTES', "The option's variable is SLUICE_HTTP_LIMITS_BODY_BYTES."]],
            \array_map(static fn(Finding $finding) => [$finding->what, $finding->advice], \array_values($told)));
    }
}
