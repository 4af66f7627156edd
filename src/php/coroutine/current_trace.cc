#include "php/coroutine/current_trace.h"

#include "php/coroutine/coroutine.h"
#include "php/coroutine/occasion.h"

namespace sluice::php {

namespace {
TraceScope outside;  ///< of all coroutines
}  // namespace

TraceScope& trace_scope() {
    Coroutine* const self = enclosing_coroutine();
    return self ? self->trace : outside;
}

zend_object* current_trace() {
    TraceScope& scope = trace_scope();
    if (!scope.object && scope.request) scope.object = scope.request->trace();
    return scope.object;
}

void begin_trace(const Occasion& request) {
    trace_scope().request = &request;
}

void end_trace(TraceScope& scope) {
    scope.request = nullptr;
    scope.suspended_us = 0;
    if (EXPECTED(!scope.object)) return;
    OBJ_RELEASE(scope.object);
    scope.object = nullptr;
}

}  // namespace sluice::php
