#pragma once

#include <cstdint>

namespace sluice::php {

// Calls that hold the loop up for too long: the log says where they stand.

/// From here on, as long as there is a scheduler. 0: nobody watches. `count` is called in another thread,
/// once for each such call; nullptr: nobody counts.
void watch_stalls(uint32_t limit_ms, void (*count)());

/// For the module's start: what PHP does between two of a script's operations when it is asked to.
void hear_interrupts();
/// Before this extension is unloaded.
void ignore_interrupts();

}  // namespace sluice::php
