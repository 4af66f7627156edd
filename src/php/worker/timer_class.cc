#include "php/worker/timer_class.h"

#include <cmath>

#include "core/clock.h"
#include "php/coroutine/callback.h"
#include "php/coroutine/coroutine_scheduler.h"
#include "php/coroutine/current_scope.h"
#include "php/coroutine/deadlines.h"
#include "php/coroutine/isolation.h"
#include "php/worker/handler_calls.h"
#include "php/worker/worker.h"
#include "php/zend/exceptions.h"
#include "php/zend/objects.h"

namespace sluice::php {

namespace {

zend_class_entry* timer_class;
zend_object_handlers handlers;

/// While a timer is active the worker holds a reference to it.
struct TimerObject {
    TimerNode node;
    Callback callback;
    zend_array* context;   ///< the starter's context; a reference while it is active
    Isolation* isolation;  ///< the starter's isolation; a reference while it is active
    uint64_t interval_ms;  ///< 0: fires once
    bool active;
    zend_object object;
};

TimerObject* of(TimerNode* node) {
    return reinterpret_cast<TimerObject*>(reinterpret_cast<char*>(node) - offsetof(TimerObject, node));
}

void free_timer(zend_object* object) {
    TimerObject* self = embedded<TimerObject>(object);
    if (self->node.armed()) TimerWheel::cancel(self->node);
    release_callback(self->callback);
    release_context(self->context);
    release_isolation(self->isolation);
    zend_object_std_dtor(object);
}

zend_object* create_timer(zend_class_entry* class_entry) {
    TimerObject* self = new_embedded<TimerObject>(class_entry, handlers);
    ZVAL_UNDEF(&self->callback.callable);
    return &self->object;
}

HashTable* timer_references(zend_object* object, zval** table, int* count) {
    *table = &embedded<TimerObject>(object)->callback.callable;
    *count = 1;
    return zend_std_get_properties(object);
}

/// Ends a timer that is not in its callback. May free it.
void finish(Worker& worker, TimerObject* timer) {
    timer->active = false;
    --worker.active_timers;
    release_callback(timer->callback);
    release_context(timer->context);
    timer->context = nullptr;
    release_isolation(timer->isolation);
    timer->isolation = nullptr;
    OBJ_RELEASE(&timer->object);
}

void start_timer(INTERNAL_FUNCTION_PARAMETERS, bool repeats) {
    double seconds;
    zval* callable;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_DOUBLE(seconds)
    Z_PARAM_ZVAL(callable)
    ZEND_PARSE_PARAMETERS_END();

    if (!check_seconds(seconds, repeats ? 0.001 : 0, 1)) RETURN_THROWS();
    zend_fcall_info_cache cache;
    char* error = nullptr;
    if (!zend_is_callable_ex(callable, nullptr, 0, nullptr, &cache, &error)) {
        zend_argument_type_error(2, "must be a valid callback, %s", error ? error : "no callable given");
        if (error) efree(error);
        RETURN_THROWS();
    }
    Worker* worker = require_worker();
    if (!worker) RETURN_THROWS();

    object_init_ex(return_value, timer_class);
    TimerObject* timer = embedded<TimerObject>(return_value);
    timer->callback = make_callback(callable, &cache);
    timer->context = inherit_context();
    timer->isolation = inherit_isolation();
    const uint64_t delay_ms = static_cast<uint64_t>(std::ceil(seconds * 1000));
    timer->interval_ms = repeats ? delay_ms : 0;
    timer->active = true;
    GC_ADDREF(&timer->object);
    ++worker->active_timers;
    // One more, for the current millisecond has begun already.
    worker->timers.arm(timer->node, monotonic_ms() + delay_ms + (delay_ms > 0 ? 1 : 0));
}

void fire(const void* argument) {
    TimerObject* timer = static_cast<TimerObject*>(const_cast<void*>(argument));
    Worker& worker = *current_worker();
    const uint64_t due_ms = timer->node.due_ms;
    ++worker.handlers;
    begin_apart();
    Isolation* const outer = adopt_isolation(timer->isolation);
    if (timer->interval_ms == 0) {
        // From here on there is nothing to cancel, not even from within the callback.
        Callback callback = timer->callback;
        ZVAL_UNDEF(&timer->callback.callable);
        zend_array* const context = timer->context;
        timer->context = nullptr;
        finish(worker, timer);
        call(callback, 0, nullptr, context);
        release_callback(callback);
        release_context(context);
    } else {
        // Cancelling from within ends the timer at once: both must outlive the call.
        GC_ADDREF(&timer->object);
        Callback callback = timer->callback;
        Z_TRY_ADDREF(callback.callable);
        call(callback, 0, nullptr, timer->context);
        release_callback(callback);
        if (timer->active) {
            // Keeps the period of the first firing, but skips missed ones.
            const uint64_t now_ms = monotonic_ms();
            const uint64_t next_ms = due_ms + timer->interval_ms;
            worker.timers.arm(timer->node, next_ms > now_ms ? next_ms : now_ms + timer->interval_ms);
        }
        OBJ_RELEASE(&timer->object);
    }
    end_output_of_handler();
    end_isolation(outer);
    --worker.handlers;
    if (EG(exception) && !log_exception("a timer")) worker.exited = true;
    end_apart(worker, no_callback());
}

}  // namespace

void init_timer_class(zend_class_entry* class_entry) {
    timer_class = class_entry;
    class_entry->create_object = create_timer;
    init_handlers<TimerObject>(handlers, free_timer);
    handlers.get_gc = timer_references;
}

bool fire_due_timers(Worker& worker, uint64_t now_ms) {
    while (TimerNode* node = worker.timers.expire(now_ms)) {
        run_handler(fire, of(node));
        if (EG(exception)) return false;
    }
    return true;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Timer, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Timer, after) {
    start_timer(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Sluice_Timer, every) {
    start_timer(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Sluice_Timer, cancel) {
    ZEND_PARSE_PARAMETERS_NONE();
    TimerObject* timer = embedded<TimerObject>(ZEND_THIS);
    Worker* worker = current_worker();
    if (!timer->active || !worker) RETURN_FALSE;
    if (timer->node.armed()) sluice::TimerWheel::cancel(timer->node);
    finish(*worker, timer);
    RETURN_TRUE;
}

ZEND_METHOD(Sluice_Timer, isActive) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<TimerObject>(ZEND_THIS)->active);
}
