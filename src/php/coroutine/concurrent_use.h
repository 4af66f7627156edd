#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

extern zend_class_entry* concurrent_use_exception_class;

/// Names both calls: the one that goes on, and the one that is not made.
void throw_concurrent_use(const zend_execute_data* in_use, const zend_execute_data* refused);

/// Before a call that takes something from a descriptor, or puts something there - as `events` says -, or
/// waits to: whether another coroutine waits to do the same. Then the call is to fail with the errno that is
/// set, and ConcurrentUseException is thrown when PHP gets to look.
bool is_used_by_another(Coroutine& self, int fd, short events);

}  // namespace sluice::php
