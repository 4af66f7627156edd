#pragma once

#include "core/timer_wheel.h"
#include "php/coroutine/coroutine_scope.h"
#include "php/coroutine/coroutine_state.h"
#include "php/zend/php_api.h"
// clang-format off
#include <Zend/zend_extensions.h>
#include <Zend/zend_fibers.h>
// clang-format on

namespace sluice::php {

/// What a coroutine does. Called in its fiber; copies what it needs of `argument` before it suspends, for
/// that may stand on the stack of who started it. Deals with its own exceptions; one that it leaves set ends
/// the coroutine and arrives where it was resumed.
using Job = void (*)(const void* argument);
/// Whether the same job is to be done once more, with the same argument.
using Again = bool (*)(const void* argument);

enum class Wake : uint8_t {
    kWoken,
    kTimedOut,
    kInterrupted,  ///< with an exception set, which must be let through
};

class Occasion;
struct Isolation;

/// One of PHP's own Fibers, kept and used for one job after the other.
struct Coroutine {
    using State = CoroutineState;

    zend_fiber* fiber = nullptr;               ///< one reference
    Coroutine* next = nullptr;                 ///< in the pool or in the ready list
    TimerNode timer;                           ///< ends its waiting
    const zend_execute_data* frame = nullptr;  ///< while it waits: what it waits in
    Job job = nullptr;
    const void* argument = nullptr;
    const char* interruption = nullptr;   ///< why CancelledError is thrown where it waits next
    const Occasion* occasion = nullptr;   ///< of the handler that it runs; nullptr for a timer or a task
    unsigned shields = 0;                 ///< calls of shield() that it is in: the interruption waits
    const zend_object* thrown = nullptr;  ///< by the last wait that was interrupted; only to be compared
    zend_object* task = nullptr;          ///< the Task that it runs, which knows it; nullptr for a handler
    size_t place = 0;                     ///< in the scheduler's list
    uint64_t number = 0;                  ///< of its job: tells it from the others that this fiber does
    const php_output_handler* buffer = nullptr;  ///< the innermost before its job
    uint64_t parent = 0;                         ///< the number of the job that has spawned it; 0: none
    CoroutineScope scope = {};
    Isolation* isolation = nullptr;  ///< one reference; nullptr: outside
    State state = State::kNew;       ///< Scheduler::move_to() changes it
    Wake woken_by = Wake::kWoken;    ///< once its waiting has ended
};

/// Before anything else here; `entry` is the function that every fiber begins with.
void init_coroutines(zend_function* entry, zend_class_entry* scope);

/// A fiber that has not begun, belonging to `coroutine`. False when there is no memory for it.
void create_fiber(Coroutine& coroutine);
/// Runs it up to its first suspension. False when it could not begin: there was no memory for its stack. An
/// exception that has come out of it is set afterwards.
bool start_fiber(zend_fiber* fiber);
/// Gives back most of the memory that PHP has reserved for the frames of the running fiber, which has just
/// begun: it gets more by itself when it needs more.
void shrink_frame_stack();

/// Whether resume_fiber() may be called.
inline bool is_suspended(const zend_fiber* fiber) {
    return fiber->context.status == ZEND_FIBER_STATUS_SUSPENDED && !fiber->caller;
}
inline bool is_dead(const zend_fiber* fiber) {
    return fiber->context.status == ZEND_FIBER_STATUS_DEAD;
}

/// The coroutine whose own fiber runs now; nullptr outside, and in a Fiber that the application has made.
Coroutine* current_coroutine();
/// The coroutine in whose fiber, or in a Fiber that it has resumed, the context's code runs; nullptr outside.
Coroutine* coroutine_of(const zend_fiber_context* context);
/// That of the code that runs.
Coroutine* enclosing_coroutine();

}  // namespace sluice::php
