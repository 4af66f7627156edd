#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

// A coroutine that the application has suspended (Fiber::suspend()) goes on only when the holder of its Fiber
// resumes it.

/// Sluice\Coroutine\DeadlockException: thrown into a coroutine that nobody can resume.
extern zend_class_entry* deadlock_exception_class;

/// Whether anybody but Sluice refers to its Fiber, or to something of it.
bool is_held_elsewhere(const Coroutine& coroutine);

/// Resumes the coroutine with an exception out of its Fiber::suspend(): CancelledError when it is
/// interrupted, the one that ends it when it is overdue, otherwise DeadlockException.
void throw_into(Coroutine& coroutine);

/// Logs, once for each way to a place in the code, that the coroutine waits for its holder.
void tell_of_held(const Coroutine& coroutine, uint64_t held_ms);

}  // namespace sluice::php
