#pragma once

#include <cstdint>
#include <vector>

#include "core/unique_fd.h"
#include "io/event_loop.h"
#include "server/seam/transport.h"

namespace sluice {

/// The loop that owns client connections, as whoever runs it inside of a worker sees it.
class ConnectionLoop : public TransportEvents {
  public:
    /// Waits at most `timeout_ms` (-1: no limit) for something to do and does it.
    virtual void turn(int timeout_ms) = 0;
    /// Something else to wait for: while it is readable, turn() returns early and `watched_ready` tells.
    virtual void watch(int fd) = 0;
    virtual bool watched_ready() const = 0;
    /// For the code that shares this loop, as EventLoop has them.
    virtual bool watch_once(int fd, uint32_t events) = 0;
    virtual void take_ready(std::vector<ReadyFd>& ready) = 0;

    virtual void add_listener(uint16_t endpoint, UniqueFd fd) = 0;
    /// Accepts nothing more and closes what is idle, the rest when it becomes so.
    virtual void begin_shutdown() = 0;
    /// No connection is left.
    virtual bool is_empty() const = 0;
};

}  // namespace sluice
