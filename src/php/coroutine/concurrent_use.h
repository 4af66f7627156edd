#pragma once

#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

extern zend_class_entry* concurrent_use_exception_class;

/// Throws ConcurrentUseException, which names both calls: the one that goes on, and the one that is refused.
void throw_concurrent_use(const zend_execute_data* in_use, const zend_execute_data* refused);

/// Ask before a call that reads from or writes to a descriptor (`events`), or waits for it: whether another
/// coroutine waits for these events. Then the call must fail with the errno that is set, and
/// ConcurrentUseException is thrown at PHP's next check.
bool is_used_by_another(Coroutine& self, int fd, short events);

}  // namespace sluice::php
