#include "php/worker/worker.h"

#include "base/clock.h"
#include "php/zend/errors.h"
#include "server/config/limits.h"

namespace sluice::php {

namespace {

Worker* current = nullptr;
StringAllocator allocator;

}  // namespace

Worker::Worker(LaunchResult&& launched, const Limits& limits)
    : port(std::move(launched.port)),
      identity(std::move(launched.identity)),
      slots(*port, limits.lent_bytes),
      form_limits{limits.form_fields, limits.part_head_bytes, limits.form_bytes},
      encoders(limits.encoding_bytes),
      timers(monotonic_ms()) {}

Worker* current_worker() {
    return current;
}

Worker* require_worker() {
    if (!current) {
        zend_string* method = get_active_function_or_method_name();
        throw_server_exception(
            "%s() was called outside a worker: call it in a handler, a timer or onWorkerStart()",
            ZSTR_VAL(method));
        zend_string_release(method);
    }
    return current;
}

void enter_worker(LaunchResult&& launched, const Limits& limits) {
    current = new Worker(std::move(launched), limits);
}

void release_worker_object() {
    if (!current || !current->object) return;
    zend_object* object = current->object;
    current->object = nullptr;
    OBJ_RELEASE(object);
}

void leave_worker() {
    if (!current) return;
    current->slots.sweep();
    delete current;
    current = nullptr;
}

MessageAllocator* string_allocator() {
    return &allocator;
}

bool is_dying() {
    if (EG(exception) && zend_is_unwind_exit(EG(exception))) return true;
    if (!current) return true;
    return current->exited || (current->handlers > 0 && (EG(flags) & EG_FLAGS_IN_SHUTDOWN));
}

}  // namespace sluice::php
