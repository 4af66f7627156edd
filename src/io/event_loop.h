#pragma once

#include <cstdint>
#include <vector>

namespace sluice {

/// A descriptor that somebody waited for.
struct ReadyFd {
    int fd;
    uint32_t events;  ///< as poll(2) has them
};

/// What code that suspends waits with: descriptors, and the passing of time. One thread.
///
/// Everything else comes as a descriptor: signals as that of SignalBell (io/signal_bell.h), the end of one
/// child as that of watch_child() (io/child_exit.h), messages as the doorbell that the owner of the loop
/// watches itself. Coroutines wait for the first two by src/php/coroutine/signals.h.
class EventLoop {
  public:
    virtual ~EventLoop() = default;

    /// Tells once, by take_ready(), when `fd` has one of `events` (as poll(2) has them), an error or a
    /// hang-up. Replaces what it was watched for; closing it forgets it. False with errno set when it cannot
    /// be waited for.
    virtual bool watch(int fd, uint32_t events) = 0;

    /// Waits until a watched descriptor is ready, something else of the loop's owner happens, or the time is
    /// over; -1: no limit. Returns early at any time.
    virtual void wait(int timeout_ms) = 0;

    /// Moves what has become ready since the last call into `ready`, whose contents are lost.
    virtual void take_ready(std::vector<ReadyFd>& ready) = 0;
};

}  // namespace sluice
