#pragma once

#include "io/stall_watch.h"

namespace sluice::php {

// Calls that block the loop for too long: their place is logged; overdue ones get an Error thrown into PHP
// code, and when that does not help, the process is killed.

/// Watches from here on, while there is a scheduler. `count` is called in another thread, once for each
/// stalled call; nullptr: not counted.
void watch_stalls(StallWatch::Limits limits, void (*count)());

/// For module startup: installs PHP's interrupt function, which runs between two opcodes.
void hear_interrupts();
/// Call it before this extension is unloaded.
void ignore_interrupts();

}  // namespace sluice::php
