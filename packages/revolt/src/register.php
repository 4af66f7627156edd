<?php

declare(strict_types=1);

// Composer calls this: with the package installed, Revolt's loop is Sluice's, unless somebody has chosen another one.

use Revolt\EventLoop;
use Sluice\Revolt\SluiceDriver;

if (\extension_loaded('sluice') && \getenv('REVOLT_DRIVER') === false) {
    EventLoop::setDriver(new SluiceDriver());
}
