#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Sluice\Coroutine\CancelledError: thrown where a coroutine waits that is not wanted any more.
extern zend_class_entry* cancelled_error_class;

/// Whether it is that, or has it among its previous ones: what drivers make of a call that was interrupted.
bool comes_of_cancellation(zend_object* exception);

}  // namespace sluice::php
