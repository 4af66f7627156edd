#pragma once

#include <cstdint>
#include <vector>

#include "core/unique_fd.h"
#include "io/event_loop.h"
#include "server/seam/transport.h"

namespace sluice {

/// The interface of the loop that owns client connections, for the base-mode worker that runs it.
class ConnectionLoop : public TransportEvents {
  public:
    /// Waits at most `timeout_ms` (-1: no limit) for events, and handles them.
    virtual void turn(int timeout_ms) = 0;
    /// Also waits for `fd`: while it is readable, turn() returns early and watched_ready() is true.
    virtual void watch(int fd) = 0;
    virtual bool watched_ready() const = 0;
    /// For the code that shares this loop: see EventLoop::watch() and take_ready().
    virtual bool watch_once(int fd, uint32_t events) = 0;
    virtual void take_ready(std::vector<ReadyFd>& ready) = 0;

    virtual void add_listener(uint16_t endpoint, UniqueFd fd) = 0;
    /// Accepts nothing more and closes idle connections, the others once they become idle.
    virtual void begin_shutdown() = 0;
    /// In a forked child: closes what the loop waits with. Call nothing else afterwards.
    virtual void abandon() = 0;
    /// No connection is left.
    virtual bool is_empty() const = 0;
};

}  // namespace sluice
