<?php

declare(strict_types=1);

// Composer's autoloader executes this file: it makes SluiceDriver Revolt's driver, unless REVOLT_DRIVER names another one.

use Revolt\EventLoop;
use Sluice\Revolt\SluiceDriver;

if (\extension_loaded('sluice') && \getenv('REVOLT_DRIVER') === false) {
    EventLoop::setDriver(new SluiceDriver());
}
