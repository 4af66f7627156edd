#pragma once

#include "php/coroutine/trace_scope.h"

namespace sluice::php {

/// The scope of the running code, also within the application's own Fibers.
TraceScope& trace_scope();
/// The Trace of the running code, borrowed; nullptr: it works for no request.
zend_object* current_trace();
/// From here on the running code works for this request, until end_trace().
void begin_trace(const Occasion& request);
void end_trace(TraceScope& scope);

}  // namespace sluice::php
