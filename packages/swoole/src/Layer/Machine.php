<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** What Swoole's functions tell of the machine. */
final class Machine
{
    public static function processors(): int
    {
        $found = \preg_match_all('/^processor\s*:/m', (string) @\file_get_contents('/proc/cpuinfo'));
        return \max(1, (int) $found);
    }

    public static function errorText(int $code): string
    {
        if ($code < \SWOOLE_ERROR_MALLOC_FAIL) {
            return \posix_strerror($code);
        }
        foreach (\get_defined_constants() as $name => $value) {
            if ($value === $code && \str_starts_with($name, 'SWOOLE_ERROR_')) {
                return \strtolower(\str_replace('_', ' ', \substr($name, 13)));
            }
        }
        return "Unknown error $code";
    }

    /** @return array<string, string> by the name of the interface */
    public static function addresses(int $family): array
    {
        $all = [];
        foreach (\net_get_interfaces() ?: [] as $name => $interface) {
            foreach (\is_array($interface) && \is_array($interface['unicast'] ?? null) ? $interface['unicast'] : [] as $one) {
                $address = \is_array($one) ? ($one['address'] ?? null) : null;
                if (\is_array($one) && ($one['family'] ?? 0) === $family && \is_string($address) && $address !== '127.0.0.1' && $address !== '::1') {
                    $all[(string) $name] ??= $address;
                }
            }
        }
        return $all;
    }

    /** @return array<string, string> by the name of the interface */
    public static function hardwareAddresses(): array
    {
        $all = [];
        foreach (\glob('/sys/class/net/*/address') ?: [] as $file) {
            $all[\basename(\dirname($file))] = \strtoupper(\trim((string) \file_get_contents($file)));
        }
        return $all;
    }
}
