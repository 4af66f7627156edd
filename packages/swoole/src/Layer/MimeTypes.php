<?php

declare(strict_types=1);

namespace Sluice\Swoole;

/** Media types by the suffix of a file's name. */
final class MimeTypes
{
    /** @var array<string, string> */
    private static array $types = [
        'html' => 'text/html', 'htm' => 'text/html', 'css' => 'text/css', 'js' => 'text/javascript', 'json' => 'application/json', 'xml' => 'text/xml',
        'txt' => 'text/plain', 'csv' => 'text/csv', 'md' => 'text/markdown', 'png' => 'image/png', 'jpg' => 'image/jpeg', 'jpeg' => 'image/jpeg',
        'gif' => 'image/gif', 'svg' => 'image/svg+xml', 'webp' => 'image/webp', 'ico' => 'image/x-icon', 'bmp' => 'image/x-ms-bmp', 'pdf' => 'application/pdf',
        'zip' => 'application/zip', 'gz' => 'application/gzip', 'mp3' => 'audio/mpeg', 'mp4' => 'video/mp4', 'webm' => 'video/webm', 'wasm' => 'application/wasm',
        'woff' => 'font/woff', 'woff2' => 'font/woff2', 'ttf' => 'font/ttf',
    ];

    public static function add(string $suffix, string $type): bool
    {
        if (isset(self::$types[$suffix])) {
            return false;
        }
        self::$types[$suffix] = $type;
        return true;
    }

    public static function set(string $suffix, string $type): void
    {
        self::$types[$suffix] = $type;
    }

    public static function delete(string $suffix): bool
    {
        $had = isset(self::$types[$suffix]);
        unset(self::$types[$suffix]);
        return $had;
    }

    public static function of(string $file): string
    {
        return self::$types[\strtolower(\pathinfo($file, \PATHINFO_EXTENSION))] ?? 'application/octet-stream';
    }

    public static function has(string $file): bool
    {
        return isset(self::$types[\strtolower(\pathinfo($file, \PATHINFO_EXTENSION))]);
    }

    /** @return array<string, string> */
    public static function all(): array
    {
        return self::$types;
    }
}
