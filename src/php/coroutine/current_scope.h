#pragma once

#include "php/coroutine/coroutine_scope.h"

namespace sluice::php {

/// That of the coroutine which runs, also within Fibers of the application's own; outside of all coroutines
/// the process's.
CoroutineScope& current_scope();
/// Whether it ends before the process does.
bool may_defer();

/// Begins a call of the worker's with `context` - nullptr: with what was set outside of all coroutines; what
/// was current before comes back by end_call(), which calls what was deferred.
CoroutineScope begin_call(zend_array* context);
void end_call(const CoroutineScope& before);

/// One more reference to what the running code sees, for a coroutine that it begins; nullptr when that is
/// nothing.
zend_array* inherit_context();

/// Before PHP destroys all objects.
void forget_process_scope();

}  // namespace sluice::php
