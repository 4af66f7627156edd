#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

// Calls of PHP's own in which no coroutine may wait: what they keep meanwhile can neither be shared nor be
// taken away, or another coroutine needs what they are about to make.

/// With the module: from here on classes are noticed for which an error handler is called while they are
/// linked.
void notice_class_linking();

/// Before the script begins: from here on those calls are noticed.
void guard_calls_without_waiting();
/// Before this extension is unloaded.
void release_calls_without_waiting();

/// With the first coroutine, and after the last one: what loads and compiles code is noticed, or not any
/// more.
void guard_compiling();
void release_compiling();

/// Whether the code is called back by one of them.
bool is_waiting_forbidden();

}  // namespace sluice::php
