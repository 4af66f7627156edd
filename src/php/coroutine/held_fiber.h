#pragma once

#include "php/coroutine/coroutine.h"

namespace sluice::php {

// A coroutine whose Fiber the application has suspended (Fiber::suspend()) goes on when who holds the Fiber
// resumes it, and not before.

/// What is thrown into one that nobody can ever go on with.
extern zend_class_entry* deadlock_exception_class;

/// Whether anybody but Sluice has its Fiber, or something that belongs to it.
bool is_held_elsewhere(const Coroutine& coroutine);

/// Goes on with one by an exception out of its Fiber::suspend(): CancelledError when it is interrupted,
/// otherwise DeadlockException.
void throw_into(Coroutine& coroutine);

/// Says in the log, once for each place, that it waits for who holds it.
void tell_of_held(const Coroutine& coroutine, uint64_t held_ms);

}  // namespace sluice::php
