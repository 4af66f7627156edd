#pragma once

#include "io/stall_watch.h"

namespace sluice::php {

// Calls that hold the loop up for too long: the log says where they stand; if they are to end, an Error is
// thrown into PHP's code, and the process is killed when that does not help.

/// From here on, as long as there is a scheduler. `count` is called in another thread, once for each call
/// that is told of; nullptr: nobody counts.
void watch_stalls(StallWatch::Limits limits, void (*count)());

/// For the module's start: what PHP does between two of a script's operations when it is asked to.
void hear_interrupts();
/// Before this extension is unloaded.
void ignore_interrupts();

}  // namespace sluice::php
