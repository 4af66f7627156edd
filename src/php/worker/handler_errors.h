#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Whether it is CancelledException, or has it among its previous ones: what drivers make of a call that was
/// interrupted.
bool comes_of_cancellation(zend_object* exception);

/// Writes the exception that has come out of `where` ("an HTTP handler") to the log, with its trace and those
/// before it, and clears it. False, and nothing done, when it is no exception but exit() on its way out.
bool log_exception(const char* where);

}  // namespace sluice::php
