#pragma once

#include <poll.h>

#include "php/coroutine_scheduler.h"

namespace sluice::php {

// What the hooked calls of the C library wait with.

/// Only in this thread do hooked calls suspend.
void own_this_thread();

/// The running coroutine when a call of the C library may suspend it here; nullptr where it has to do what it
/// always did.
Coroutine* hookable();

/// Whether the running coroutine was interrupted while it waited in a call of the C library that has not come
/// back to PHP yet: the caller may try to wait again, and must not.
bool is_interrupted();
/// The answer then: -1, with an errno that nobody tries again for.
int refuse_to_wait();

/// poll(2), suspending.
int wait_in_poll(Coroutine& self, pollfd* fds, nfds_t count, int timeout_ms);

}  // namespace sluice::php
