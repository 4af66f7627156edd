#include "php/coroutine/require_coroutine.h"

#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/no_waiting.h"

namespace sluice::php {

namespace {

/// Why the running code cannot be suspended.
const char* why_not() {
    const Coroutine* self = scheduler() ? enclosing_coroutine() : nullptr;
    if (!self) return "call it in a coroutine - under Sluice\\Coroutine\\run(), or in a worker";
    if (self->fiber->flags & ZEND_FIBER_FLAG_DESTROYED) return "the script ends, and its coroutines with it";
    if (zend_fiber_switch_blocked())
        return "PHP cannot switch Fibers here, for example in a destructor that the garbage collector calls";
    if (is_waiting_forbidden())
        return "PHP is loading or compiling code, or is in a function whose state other coroutines would "
               "share";
    return "an exception is being thrown";
}

}  // namespace

Coroutine* require_coroutine() {
    if (Coroutine* self = suspendable()) return self;
    zend_string* function = get_active_function_or_method_name();
    zend_throw_error(nullptr, "%s() has to wait, and cannot here: %s", ZSTR_VAL(function), why_not());
    zend_string_release(function);
    return nullptr;
}

}  // namespace sluice::php
