<?php

declare(strict_types=1);

// Composer loads this file: from here on OpenTelemetry's current context is that of the running coroutine.

// Static analysis loads it in a PHP without the extension.
if (extension_loaded('sluice')) {
    OpenTelemetry\Context\Context::setStorage(new Sluice\OpenTelemetry\ContextStorage());
}
