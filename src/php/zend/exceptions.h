#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Chains are short; a longer one is a loop or a mistake.
inline constexpr int kMostPreviousExceptions = 8;

/// Whether it is no exception, but exit() on its way out: nothing of the script may run any more.
inline bool is_exit(const zend_object* exception) {
    return zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception);
}

/// nullptr when it has none.
zend_object* previous_of(zend_object* exception);

/// Writes the exception that has come out of `where` ("an HTTP handler") to the log, with its trace and those
/// before it, and clears it. False, and nothing done, when it is exit() on its way out.
bool log_exception(const char* where);

}  // namespace sluice::php
