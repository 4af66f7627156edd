#pragma once

#include <poll.h>

#include "io/thread_pool.h"
#include "php/coroutine/coroutine_scheduler.h"

namespace sluice::php {

// How the hooked calls of the C library wait.

/// From here on hooked calls suspend in this thread, but not in forks of this process.
void own_this_thread();
/// Whether it is that thread. In another thread, or a fork, nothing of PHP's may be touched.
bool is_own_thread();

/// The running coroutine if a call of the C library may suspend it here; nullptr where the call must block as
/// usual.
Coroutine* hookable();

/// Whether the running coroutine was interrupted in a call of the C library that has not returned to PHP yet:
/// a library that retries must not wait again.
bool is_interrupted();
/// Fails a call after an interruption: -1, with an errno that callers do not retry.
int refuse_to_wait();

/// poll(2), suspending. When a descriptor is closed meanwhile, it fails with EBADF: on POLLNVAL many callers
/// retry.
int wait_in_poll(Coroutine& self, pollfd* fds, nfds_t count, int timeout_ms);

/// Call it before `fd` is closed. Coroutines that wait for it get EBADF; otherwise they would wait for ever,
/// or go on with the next descriptor of this number. As closing is followed by freeing - of PHP's stream, of
/// a library's connection - the caller waits here until they have left their calls.
void send_away_from(int fd);

/// Runs a job in another thread, suspending. False with errno set when it was not awaited to its end: the job
/// may still run, after its caller has gone.
bool wait_for_job(Coroutine& self, ThreadJob& job);

/// Polls at growing intervals for events without notification, such as a lock.
class Repeated {
  public:
    /// Suspends for a moment. False with errno set when interrupted.
    bool pause(Coroutine& self);

  private:
    static constexpr unsigned kLongestMs = 32;
    unsigned next_ms_ = 1;
};

}  // namespace sluice::php
