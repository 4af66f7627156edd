#include "php/coroutine/stalls.h"

#include <csignal>
#include <unistd.h>

#include "core/log.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/zend/backtraces.h"

namespace sluice::php {

namespace {

void (*interrupt_before)(zend_execute_data*) = nullptr;
void (*count_stall)() = nullptr;

void report(uint64_t held_ms, const zend_execute_data* top, ReadMemory read) {
    const std::string trace = backtrace(top, read);
    SLUICE_WARNING(
        "A call has held up all other coroutines for %.1f s and goes on (stallSeconds). It stands in %s",
        static_cast<double>(held_ms) / 1000, trace.empty() ? "code that cannot be shown" : trace.c_str());
}

/// Asks PHP code to report its own place, which it knows best.
void ask(uint64_t) {
    if (count_stall) count_stall();
    zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

/// The stalled thread is in a call of C.
void report_from_outside(uint64_t held_ms) {
    if (scheduler()->stall_watch().claim()) report(held_ms, EG(current_execute_data), read_any_memory);
}

void report_end(uint64_t held_ms) {
    SLUICE_WARNING("The call that held up all other coroutines has ended after %.1f s",
                   static_cast<double>(held_ms) / 1000);
}

void ask_to_end(uint64_t) {
    zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

/// The worker's running requests are lost; those that wait for it are not.
void kill_process(uint64_t held_ms) {
    const std::string trace = backtrace(EG(current_execute_data), read_any_memory);
    SLUICE_ERROR(
        "A call has held up all other coroutines for %.1f s and does not end (killSeconds): this process is "
        "killed. The call stood in %s",
        static_cast<double>(held_ms) / 1000, trace.empty() ? "code that cannot be shown" : trace.c_str());
    kill(getpid(), SIGKILL);
}

void end_call(uint64_t held_ms) {
    zend_throw_error(
        nullptr,
        "This call has held up all other coroutines for %.1f s, longer than Limits::$killSeconds allows: "
        "let it wait now and then (Coroutine\\sleep(0)), or do the work in another process",
        static_cast<double>(held_ms) / 1000);
}

void on_interrupt(zend_execute_data* frame) {
    if (scheduler() && scheduler()->stall_watch().claim())
        report(scheduler()->stall_watch().held_ms(), frame, read_own_memory);
    if (scheduler() && scheduler()->stall_watch().claim_end()) end_call(scheduler()->stall_watch().held_ms());
    if (interrupt_before) interrupt_before(frame);
}

}  // namespace

void watch_stalls(StallWatch::Limits limits, void (*count)()) {
    if (limits.tell_ms == 0 && limits.end_ms == 0) return;
    count_stall = count;
    if (!scheduler()->stall_watch().begin(limits,
                                          {ask, report_from_outside, report_end, ask_to_end, kill_process}))
        SLUICE_WARNING(
            "Cannot start the thread that watches for calls which hold up all coroutines (stallSeconds, "
            "killSeconds)");
}

void hear_interrupts() {
    interrupt_before = zend_interrupt_function;
    zend_interrupt_function = on_interrupt;
}

void ignore_interrupts() {
    if (zend_interrupt_function == on_interrupt) zend_interrupt_function = interrupt_before;
}

}  // namespace sluice::php
