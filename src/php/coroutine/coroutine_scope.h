#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// The state of one call in a coroutine, which ends with the call. Zero bytes are an empty one.
struct CoroutineScope {
    zend_array* context;   ///< values by the number of their key; shared: separate before writing
    zend_array* deferred;  ///< callables, in the order of defer()
};

void release_context(zend_array* context);

void add_deferred(CoroutineScope& scope, zval* callable);
/// Calls what was deferred, the last first. An exception that is set is restored afterwards; one that is
/// thrown here replaces it, with the old one as previous.
void run_deferred(CoroutineScope& scope);

/// Drops everything, without calling what was deferred.
void clear_scope(CoroutineScope& scope);

}  // namespace sluice::php
