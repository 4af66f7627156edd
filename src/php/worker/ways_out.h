#pragma once

#include <map>
#include <utility>

#include "php/coroutine/wait_queue.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

/// The coroutines of a worker that wait for room on the way to a reactor. There is a queue for room in the
/// ring and one for room in the out-arena: one may have room while the other has none.
class WaysOut {
  public:
    /// Nobody waits.
    bool empty() const { return waiting_ == 0; }
    size_t waiting() const { return waiting_; }
    WaitQueue& line_for(const WorkerPort& port, const Command& command) {
        return lines_[{port.way_of(command), command.payload.size() >= kOutExtentThreshold}];
    }
    void add(WaitQueue& line, Waiter& waiter) {
        line.add(waiter);
        ++waiting_;
    }
    /// Removes a waiter; the new first one may try.
    void remove(WaitQueue& line, Waiter& waiter) {
        const bool was_first = line.first == &waiter;
        line.remove(waiter);
        --waiting_;
        if (was_first && line.first) scheduler()->wake(*line.first->coroutine);
    }

  private:
    std::map<std::pair<unsigned, bool>, WaitQueue> lines_;
    size_t waiting_ = 0;
};

}  // namespace sluice::php
