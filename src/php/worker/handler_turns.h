#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "php/coroutine/wait_queue.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

/// Limits the requests that a worker handles at a time for an endpoint: counts turns, queues waiters.
class HandlerTurns {
  public:
    /// Waits, behind those that wait already, until fewer than `most` have a turn. False when interrupted: an
    /// exception is set. `share`: the endpoint that it belongs to. While it waits, `message` is set aside at
    /// `port`, unless that is nullptr: it has not begun, and when this worker dies another one gets it.
    bool take(size_t share, uint32_t most, WorkerPort* port, Inbound& message);
    /// Gives the turn back: the longest waiting coroutine gets it.
    void give(size_t share);
    /// How many wait.
    uint32_t waiting() const { return waiting_; }

  private:
    struct Share {
        uint32_t taken = 0;
        WaitQueue waiting = {};
    };
    std::unordered_map<size_t, Share> shares_;
    uint32_t waiting_ = 0;
};

}  // namespace sluice::php
