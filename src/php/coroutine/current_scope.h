#pragma once

#include "php/coroutine/coroutine_scope.h"

namespace sluice::php {

/// The scope of the running coroutine, also within the application's own Fibers; outside of all coroutines
/// the process's.
CoroutineScope& current_scope();
/// Whether the current scope ends before the process does.
bool may_defer();

/// Begins a call of the worker with `context`; nullptr: with what was set outside of all coroutines. Returns
/// the former scope for end_call(), which calls what was deferred.
CoroutineScope begin_call(zend_array* context);
void end_call(const CoroutineScope& before);

/// A new reference to the running code's context, for a coroutine that it begins; nullptr when it is
/// empty.
zend_array* inherit_context();

/// Call it before PHP destroys all objects.
void forget_process_scope();

}  // namespace sluice::php
