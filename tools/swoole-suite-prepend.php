<?php

// The layer, as its package is loaded. For tools/swoole-suite.

declare(strict_types=1);

require __DIR__ . '/../packages/swoole/src/autoload.php';
// Classes of an extension are there without being asked for.
class_exists(Swoole\Http2\Request::class);
