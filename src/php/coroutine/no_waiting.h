#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Calls of PHP's own in which no coroutine may wait: their state can be neither shared nor saved, or another
// coroutine needs what they are about to make.

/// Call it with the module: notices from here on when an error handler is called while a class is
/// linked.
void notice_class_linking();

/// Call it before the script begins: from here on such calls are noticed.
void guard_calls_without_waiting();
/// Call it before this extension is unloaded.
void release_calls_without_waiting();

/// Call them with the first coroutine, and after the last one: loading and compiling of code is noticed in
/// between.
void guard_compiling();
void release_compiling();

/// For a wrapped function: calls the original, which blocks where it waits.
void call_without_waiting(INTERNAL_FUNCTION_PARAMETERS);

/// Whether the running code was called back by such a call.
bool is_waiting_forbidden();
/// Whether one is active, as far as they are counted.
bool is_calling_without_waiting();
/// A fatal error has ended all of them.
void forget_calls_without_waiting();

}  // namespace sluice::php
