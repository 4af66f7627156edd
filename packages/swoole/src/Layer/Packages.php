<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Cuts what a client receives into packages, by Swoole's options. */
final class Packages
{
    private string $data = '';
    /** @var (\Closure(string): (array{string, string}|null|false))|null */
    private readonly ?\Closure $cut;

    /** @param array<string, mixed> $setting */
    public function __construct(array $setting)
    {
        $this->cut = self::cutter($setting);
    }

    public function isCutting(): bool
    {
        return $this->cut !== null;
    }

    /** The next package; null: more is needed; false: a package is too long. */
    public function next(): string|null|false
    {
        $cut = $this->cut === null || $this->data === '' ? null : ($this->cut)($this->data);
        if (!\is_array($cut)) {
            return $cut;
        }
        $this->data = $cut[1];
        return $cut[0];
    }

    public function add(string $data): void
    {
        $this->data .= $data;
    }

    /**
     * @param array<string, mixed> $setting
     * @return (\Closure(string): (array{string, string}|null|false))|null
     */
    private static function cutter(array $setting): ?\Closure
    {
        if (Options::bool($setting, 'open_mqtt_protocol')) {
            return Framings::ofMqtt(Options::size($setting, 'package_max_length', 2 << 20));
        }
        if (Options::bool($setting, 'open_length_check')) {
            return Framings::byLengthInPhp($setting);
        }
        if (!Options::bool($setting, 'open_eof_check') && !Options::bool($setting, 'open_eof_split')) {
            return null;
        }
        return Framings::byEndInPhp(Options::string($setting, 'package_eof', "\r\n") ?: "\r\n", Options::size($setting, 'package_max_length', 2 << 20));
    }
}
