<?php

declare(strict_types=1);

// Compiles the files that the file INCLUDED names, for opcache.preload.

foreach (file((string) getenv('INCLUDED'), FILE_IGNORE_NEW_LINES) as $file) {
    @opcache_compile_file($file);
}
