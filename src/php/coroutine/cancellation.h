#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\CancelledError: thrown where a cancelled coroutine waits.
extern zend_class_entry* cancelled_error_class;

/// Whether it is a CancelledError, or has one among its previous ones, as drivers wrap it.
bool comes_of_cancellation(zend_object* exception);

}  // namespace sluice::php
