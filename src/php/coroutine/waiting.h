#pragma once

#include <poll.h>

#include "io/thread_pool.h"
#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

// What the hooked calls of the C library wait with.

/// Only in this thread do hooked calls suspend, and not in processes that it forks.
void own_this_thread();
/// In another thread, or a fork, nothing of PHP's may be touched.
bool is_own_thread();

/// The running coroutine when a call of the C library may suspend it here; nullptr where it has to do what it
/// always did.
Coroutine* hookable();

/// Whether the running coroutine was interrupted while it waited in a call of the C library that has not come
/// back to PHP yet: the caller may try to wait again, and must not.
bool is_interrupted();
/// The answer then: -1, with an errno that nobody tries again for.
int refuse_to_wait();

/// poll(2), suspending. When a descriptor is closed meanwhile, it fails with EBADF: POLLNVAL would have many
/// callers try again.
int wait_in_poll(Coroutine& self, pollfd* fds, nfds_t count, int timeout_ms);

/// Before `fd` is closed. Who waits for it would wait for ever, or go on with whatever has its number next:
/// they get EBADF. And as closing is followed by freeing - of PHP's stream, of a library's connection - the
/// caller waits here until they have left the calls that they stand in.
void send_away_from(int fd);

/// Has a job done in another thread, suspending. False with errno set when it was not or is not done: the job
/// may run all the same, and whoever called it is not there any more.
bool wait_for_job(Coroutine& self, ThreadJob& job);

/// For what tells nobody when it is over, such as a lock: asked again and again, less and less often.
class Repeated {
  public:
    /// Suspends for a moment. False with errno set when interrupted.
    bool pause(Coroutine& self);

  private:
    static constexpr unsigned kLongestMs = 32;
    unsigned next_ms_ = 1;
};

}  // namespace sluice::php
