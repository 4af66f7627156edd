#include "php/coroutine/held_fiber.h"

#include "core/log.h"
#include "php/coroutine/cancellation.h"
#include "php/coroutine/fiber_switch.h"
#include "php/zend/backtraces.h"
#include "php/zend/said_once.h"

namespace sluice::php {

zend_class_entry* deadlock_exception_class = nullptr;

namespace {

constexpr const char* kNobodyHolds =
    "Nobody holds the Fiber of this coroutine, so nobody would ever resume what Fiber::suspend() has "
    "suspended";

/// Calls a function as if the suspended coroutine called it.
template <typename F>
void in_place_of(const Coroutine& coroutine, F&& f) {
    zend_execute_data* const frame = EG(current_execute_data);
    EG(current_execute_data) = coroutine.fiber->execute_data;
    f();
    EG(current_execute_data) = frame;
}

}  // namespace

bool is_held_elsewhere(const Coroutine& coroutine) {
    zend_object* const fiber = &coroutine.fiber->std;
    return GC_REFCOUNT(fiber) > 1 || (OBJ_FLAGS(fiber) & IS_OBJ_WEAKLY_REFERENCED);
}

void throw_into(Coroutine& coroutine) {
    static zend_function* const method = static_cast<zend_function*>(
        zend_hash_str_find_ptr(&zend_ce_fiber->function_table, ZEND_STRL("throw")));
    const bool cancelled = coroutine.interruption;
    if (!cancelled && is_overdue(coroutine)) {
        zend_object* end = nullptr;
        in_place_of(coroutine, [&] { end = end_overdue(coroutine); });
        resume_fiber(coroutine.fiber, end);
        return;
    }
    if (cancelled) note_cancelled(coroutine);
    zend_class_entry* const thrown = cancelled ? cancelled_error_class : deadlock_exception_class;
    zval exception, returned;
    in_place_of(coroutine, [&] { object_init_ex(&exception, thrown); });
    zend_update_property_string(cancelled ? zend_ce_error : zend_ce_exception, Z_OBJ(exception),
                                ZEND_STRL("message"), cancelled ? coroutine.interruption : kNobodyHolds);
    coroutine.interruption = nullptr;
    ZVAL_UNDEF(&returned);
    zend_call_known_instance_method_with_1_params(method, &coroutine.fiber->std, &returned, &exception);
    zval_ptr_dtor(&returned);
    zval_ptr_dtor(&exception);
}

void tell_of_held(const Coroutine& coroutine, uint64_t held_ms) {
    in_place_of(coroutine, [&] {
        // The place may be in a library, for all who call it.
        const std::string trace = backtrace(EG(current_execute_data), read_own_memory);
        if (!is_first_with("held", trace)) return;
        SLUICE_WARNING(
            "A coroutine waits in %s for longer than %.0f s. The code that holds its Fiber has to resume it: "
            "does the application's own event loop still run? Revolt's runs in a handler with the package "
            "sluice/revolt.\n%s",
            place_of(EG(current_execute_data)).c_str(), static_cast<double>(held_ms) / 1000, trace.c_str());
    });
}

}  // namespace sluice::php
