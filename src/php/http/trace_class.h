#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

struct RequestObject;

void init_trace_class(zend_class_entry* class_entry);

/// The Sluice\Http\Trace of a request, with one reference.
zend_object* new_trace(const RequestObject& request);

/// From here on lines of the log name the trace of the request that they concern.
void log_traces();

}  // namespace sluice::php
