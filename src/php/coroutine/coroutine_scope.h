#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// What belongs to one call in a coroutine and ends with it. Zero bytes are an empty one.
struct CoroutineScope {
    zend_array* context;   ///< values by the number of their key; shared, so written to only after separation
    zend_array* deferred;  ///< callables, in the order of defer()
};

void release_context(zend_array* context);

void add_deferred(CoroutineScope& scope, zval* callable);
/// Calls what was deferred, the last first. An exception that is set goes on afterwards; one that is thrown
/// here takes its place, with it as its previous one.
void run_deferred(CoroutineScope& scope);

/// Drops everything; what was deferred is not called.
void clear_scope(CoroutineScope& scope);

}  // namespace sluice::php
