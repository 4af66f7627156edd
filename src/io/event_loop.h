#pragma once

#include <cstdint>
#include <vector>

namespace sluice {

/// A descriptor that somebody waited for.
struct ReadyFd {
    int fd;
    uint32_t events;  ///< poll(2)'s bits
};

/// What suspending code waits with: readiness of descriptors, and timeouts. Not thread-safe.
///
/// Everything else comes as a descriptor: signals by SignalBell (io/signal_bell.h), the end of a child by
/// watch_child() (io/child_exit.h), messages by a doorbell that the loop's owner watches itself. Coroutines
/// wait for signals and children by src/php/coroutine/signals.h.
class EventLoop {
  public:
    virtual ~EventLoop() = default;

    /// Reports once, by take_ready(), when `fd` has one of `events` (poll(2)'s bits), an error or a hang-up.
    /// Replaces an earlier watch of `fd`; closing `fd` ends it. False with errno set when `fd` cannot be
    /// watched.
    virtual bool watch(int fd, uint32_t events) = 0;

    /// Waits until a watched descriptor is ready, an event of the loop's owner happens, or the timeout is
    /// over; -1: no timeout. May return early.
    virtual void wait(int timeout_ms) = 0;

    /// Fills `ready` with what has become ready since the last call; its old contents are lost.
    virtual void take_ready(std::vector<ReadyFd>& ready) = 0;
};

}  // namespace sluice
