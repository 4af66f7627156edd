#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

// What lives as long as a process runs coroutines: the scheduler, and with it signals, the watch for stalls,
// and whatever makes calls of C suspend.

struct SchedulingOptions {
    CoroutineLimits limits;
    StallWatch::Limits stalls;
    void (*count_stall)();  ///< see watch_stalls()
};

/// Makes `loop` what coroutines wait with, from here on.
void begin_scheduling(EventLoop& loop, const SchedulingOptions& options);
void end_scheduling();
/// In a process forked from this one: leaves everything where it is, and nothing here suspends any more. The
/// coroutine that runs goes on, and the process ends with it.
void abandon_scheduling();

/// For the module's start: `begun` is called each time that scheduling has begun.
void when_scheduling_begins(void (*begun)());

}  // namespace sluice::php
