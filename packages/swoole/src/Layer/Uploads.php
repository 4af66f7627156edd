<?php

declare(strict_types=1);

namespace Sluice\Swoole;

use Sluice\Coroutine;
use Sluice\Http\UploadedFile;

/** Files of forms under a path, for as long as the request is handled. */
final class Uploads
{
    public static function path(UploadedFile $file): string
    {
        $path = $file->path();
        // The file lives as long as its object.
        Coroutine\defer(static function () use ($file): void {
            unset($file);
        });
        return $path;
    }
}
