#pragma once

#include "core/timer_wheel.h"
#include "php/coroutine/coroutine_scope.h"
#include "php/coroutine/coroutine_state.h"
#include "php/coroutine/trace_scope.h"
#include "php/zend/php_api.h"
// clang-format off
#include <Zend/zend_extensions.h>
#include <Zend/zend_fibers.h>
// clang-format on

namespace sluice::php {

/// A coroutine's function, called in its fiber. It copies what it needs of `argument` before it suspends, for
/// that may stand on the starter's stack. It handles its exceptions; one that it leaves set ends the
/// coroutine and arrives where it was resumed.
using Job = void (*)(const void* argument);
/// Whether the job is to be run once more, with this argument.
using Again = bool (*)(const void* argument);

enum class Wake : uint8_t {
    kWoken,
    kTimedOut,
    kInterrupted,  ///< with an exception set, which the caller must pass on
};

class Occasion;
struct Isolation;

/// A coroutine: one of PHP's Fibers, reused for one job after the other.
struct Coroutine {
    using State = CoroutineState;

    zend_fiber* fiber = nullptr;               ///< one reference
    Coroutine* next = nullptr;                 ///< in the pool or in the ready list
    TimerNode timer;                           ///< ends its suspension
    const zend_execute_data* frame = nullptr;  ///< while it waits: the call that it waits in
    int waits_for_fd = -1;                     ///< while it waits: the first descriptor; -1: for none
    uint64_t begun_us = 0;                     ///< its handler or task, by monotonic_us(); 0: not yet
    uint64_t suspended_at_us = 0;              ///< of what works for somebody, by monotonic_us()
    uint64_t waits_since_ns = 0;  ///< while somebody measures waits; see Scheduler::measure_waits()
    Job job = nullptr;
    const void* argument = nullptr;
    const char* interruption = nullptr;   ///< why its next suspension throws CancelledError
    const Occasion* occasion = nullptr;   ///< of its handler; nullptr for a timer or a task
    unsigned shields = 0;                 ///< active calls of shield(): they delay the interruption
    uint64_t must_end_ms = 0;             ///< once it was cancelled: when it may wait no more; 0: never
    unsigned awaits_children = 0;         ///< waits for cancelled children, for as long as they take
    bool is_ended = false;                ///< an exception ends it that nothing catches
    const zend_object* thrown = nullptr;  ///< by the last interrupted suspension; only to be compared
    zend_object* task = nullptr;          ///< the Task that it runs; nullptr for a handler
    size_t place = 0;                     ///< in the scheduler's list
    uint64_t number = 0;                  ///< of its job: unique among all jobs
    uint32_t ran_in = 0;                  ///< the Scheduler's period in which it, or a descendant, ran last
    const php_output_handler* buffer = nullptr;  ///< the innermost output buffer before its job
    uint64_t parent = 0;                         ///< the number of the job that has spawned it; 0: none
    uint64_t client = 0;                         ///< of a task: whom its spawner works for; see client_of()
    bool has_spawned = false;                    ///< whether its job is a parent
    bool is_part_of_parent = false;              ///< its parent has called it, as timeout() does, and waits
    bool awaits_resume = false;                  ///< in Sluice\Coroutine\suspend()
    TraceScope trace = {};
    CoroutineScope scope = {};
    Isolation* isolation = nullptr;  ///< one reference; nullptr: outside
    State state = State::kNew;       ///< Scheduler::move_to() changes it
    Wake woken_by = Wake::kWoken;    ///< why its last suspension ended
};

/// Call it before anything else here; `entry` is the function that every fiber begins with.
void init_coroutines(zend_function* entry, zend_class_entry* scope);

/// Whether this is the function that every coroutine's stack begins with.
bool is_coroutine_entry(const zend_function* function);

/// Makes the fiber of `coroutine`, which does not begin yet.
void create_fiber(Coroutine& coroutine);
/// Runs a fiber up to its first suspension. False when there was no memory for its stack. An exception that
/// has left the fiber is set afterwards.
bool start_fiber(zend_fiber* fiber);
/// Gives back most of the memory that PHP has reserved for the frames of the running fiber, which has just
/// begun: PHP allocates more when it is needed.
void shrink_frame_stack();

/// Whether resume_fiber() may be called.
inline bool is_suspended(const zend_fiber* fiber) {
    return fiber->context.status == ZEND_FIBER_STATUS_SUSPENDED && !fiber->caller;
}
inline bool is_dead(const zend_fiber* fiber) {
    return fiber->context.status == ZEND_FIBER_STATUS_DEAD;
}

/// Where a Fiber refers to its coroutine: of `reserved` in its context.
extern int place_of_coroutine;

// Inline, for each handler asks them several times.

/// The coroutine whose own fiber runs now; nullptr outside, and in a Fiber that the application has made.
inline Coroutine* current_coroutine() {
    zend_fiber* const fiber = EG(active_fiber);
    return fiber ? static_cast<Coroutine*>(fiber->context.reserved[place_of_coroutine]) : nullptr;
}
/// The client that it works for; 0: none. See Occasion::client().
uint64_t client_of(const Coroutine& coroutine);
/// The coroutine whose fiber, or a Fiber that it has resumed, has this context; nullptr outside.
Coroutine* coroutine_of(const zend_fiber_context* context);
/// The coroutine of the running code, also within the application's own Fibers; nullptr outside.
inline Coroutine* enclosing_coroutine() {
    if (Coroutine* const own = current_coroutine(); EXPECTED(own)) return own;
    return EG(active_fiber) ? coroutine_of(&EG(active_fiber)->context) : nullptr;
}

}  // namespace sluice::php
