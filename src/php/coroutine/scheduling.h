#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

// Starts and stops all that coroutines need: the scheduler, signals, the watch for stalls, and the hooks that
// make calls of C suspend.

struct SchedulingOptions {
    CoroutineLimits limits;
    StallWatch::Limits stalls;
    void (*count_stall)();  ///< see watch_stalls()
};

/// From here on coroutines wait by `loop`.
void begin_scheduling(EventLoop& loop, const SchedulingOptions& options);
void end_scheduling();
/// For a fork of this process: leaves everything as it is, and nothing suspends any more. The running
/// coroutine goes on, and the process ends with it.
void abandon_scheduling();

/// For module startup: `begun` is called each time that scheduling has begun.
void when_scheduling_begins(void (*begun)());

}  // namespace sluice::php
