#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// What belongs to one call in a coroutine and ends with it. Zero bytes are an empty one.
struct CoroutineScope {
    zend_array* context;   ///< values by the number of their key; shared, so written to only after separation
    zend_array* deferred;  ///< callables, in the order of defer()
};

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
void release_context(zend_array* context);

void add_deferred(CoroutineScope& scope, zval* callable);
/// Calls what was deferred, the last first. An exception that is set goes on afterwards; one that is thrown
/// here takes its place, with it as its previous one.
void run_deferred(CoroutineScope& scope);

/// Drops everything; what was deferred is not called.
void clear_scope(CoroutineScope& scope);
/// Before PHP destroys all objects.
void forget_process_scope();

}  // namespace sluice::php
