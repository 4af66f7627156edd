#pragma once

#include "php/profile/sampling.h"

namespace sluice {
struct ProfileDesk;
}

namespace sluice::php {

class Occasion;

// Takes profiles of this process when somebody asks for one at its desk. A thread of its own waits there, so
// PHP code pays nothing as long as nobody asks, and a profile is taken whatever PHP code does.

/// `occasion`: what PHP's thread works for at the moment; nullptr: nothing.
void begin_profiling(ProfileDesk& desk, const Occasion* (*occasion)());
/// Ends the thread. Does nothing in a process that the application has forked.
void end_profiling();

/// For module startup, and before the extension is unloaded: PHP's interrupt function, by which PHP's thread
/// is asked. It runs between two opcodes, when an interrupt has been asked for.
void let_profiler_interrupt();
void end_interrupts_by_profiler();

}  // namespace sluice::php
