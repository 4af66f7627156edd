#include "php/http/process_deadline.h"

#include <algorithm>
#include <ctime>

#include "core/clock.h"

namespace sluice::php {

namespace {

/// Reactors answer clients whose requests take too long, and cancel the handler. A client that has gone has
/// no reactor that would: then this much later it is done here.
constexpr uint64_t kOverdueMs = 1000;

/// The CPU time of a process; 0: there is none.
uint64_t cpu_ms_of(int pid) {
    clockid_t clock;
    timespec time;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1000 + static_cast<uint64_t>(time.tv_nsec) / 1'000'000;
}

}  // namespace

ProcessDeadline::ProcessDeadline(uint64_t request_ms, uint64_t kill_ms)
    : begin_due_ms_(request_ms ? monotonic_ms() + request_ms + kOverdueMs : 0), kill_ms_(kill_ms) {}

void ProcessDeadline::note_sign(pid_t pid) {
    has_begun_ = true;
    cpu_before_ms_ = kill_ms_ ? cpu_ms_of(pid) : 0;
    look_due_ms_ = kill_ms_ ? monotonic_ms() + kill_ms_ : 0;
}

const char* ProcessDeadline::exceeded(pid_t pid) {
    const uint64_t now_ms = monotonic_ms();
    if (!due_ms() || now_ms < due_ms()) return nullptr;
    if (!has_begun_) return "requestSeconds";
    const uint64_t cpu_ms = cpu_ms_of(pid);
    const uint64_t used_ms = cpu_ms - std::min(cpu_ms, cpu_before_ms_);
    if (used_ms >= kill_ms_) return "killSeconds";
    look_due_ms_ = now_ms + kill_ms_ - used_ms;
    return nullptr;
}

}  // namespace sluice::php
