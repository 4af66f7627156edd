#include "php/coroutine/scheduling.h"

#include "php/coroutine/engine_state.h"
#include "php/coroutine/error_handlers.h"
#include "php/coroutine/fatal_errors.h"
#include "php/coroutine/no_waiting.h"
#include "php/coroutine/signals.h"
#include "php/coroutine/stalls.h"

namespace sluice::php {

namespace {

void (*tell_begun)() = nullptr;

}  // namespace

void begin_scheduling(EventLoop& loop, const SchedulingOptions& options) {
    begin_engine_state();
    note_error_reporting();
    guard_compiling();
    create_scheduler(loop, options.limits);
    begin_signals();
    watch_stalls(options.stalls, options.count_stall);
    if (tell_begun) tell_begun();
}

void end_scheduling() {
    destroy_scheduler();
    release_compiling();
    end_engine_state();
    end_signals();
}

void abandon_scheduling() {
    die_of_fatal_errors();
    if (!scheduler()) return;
    abandon_scheduler();
    end_signals();
    release_compiling();
}

void when_scheduling_begins(void (*begun)()) {
    tell_begun = begun;
}

}  // namespace sluice::php
