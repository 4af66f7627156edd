#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "php/coroutine/occasion.h"
#include "php/coroutine/wait_queue.h"
#include "server/seam/worker_port.h"
#include "server/sharing/fair_queue.h"

namespace sluice::php {

/// Limits the requests that a worker handles at a time for an endpoint, and those that it has given to the
/// endpoint's processes. Requests wait in a FairQueue, where a client costs what it has kept of these places:
/// a client that has a thousand requests waiting is behind one that has a single request.
class HandlerTurns {
  public:
    /// What a request needs a turn of: its endpoint's handlers, by the endpoint's place, or its processes.
    static constexpr size_t share_of_processes(uint16_t endpoint) { return endpoint + size_t{UINT16_MAX}; }
    /// Of the processes that serve scripts.
    static constexpr size_t share_of_scripts(uint16_t endpoint) { return endpoint + 2 * size_t{UINT16_MAX}; }

    /// Takes a turn when fewer than `most` are taken.
    bool take(size_t share, uint32_t most);
    /// Waits for a turn after take() has got none. False when interrupted: an exception is set. While it
    /// waits, `message` is parked at `port`, unless that is nullptr: it has not begun, and when this
    /// worker dies another one gets it.
    bool await(size_t share, const FairQueue::Flow& flow, WorkerPort* port, Inbound& message);
    /// Gives the turn back: who is next gets it.
    void give(size_t share);
    /// The flow has kept one of `most` turns for so long.
    void charge(const FairQueue::Flow& flow, uint64_t us, uint32_t most) const;
    /// How many wait.
    uint32_t waiting() const { return waiting_; }

  private:
    static constexpr size_t kCells = FlowCosts::cells_for(1024);

    struct Share {
        explicit Share(const FlowCosts& costs) : waiting(costs) {}
        uint32_t taken = 0;
        FairQueue waiting;  ///< items are Waiters
    };
    Share& share_of(size_t number) { return shares_.try_emplace(number, costs_).first->second; }

    std::vector<CostCell> cells_{kCells};
    const FlowCosts costs_{cells_};
    std::unordered_map<size_t, Share> shares_;
    uint32_t waiting_ = 0;
};

/// One request's turn.
class HandlerTurn {
  public:
    explicit HandlerTurn(HandlerTurns& turns) : turns_(turns) {}

    /// Takes it, or waits for it as HandlerTurns::await() does. `most` of 0: no limit, and no turn.
    bool take(size_t share, uint32_t most, const Occasion& occasion, WorkerPort* port, Inbound& message);
    /// Gives it back, if there is one.
    void give();

  private:
    HandlerTurns& turns_;
    FairQueue::Flow flow_{};
    size_t share_ = 0;
    uint32_t most_ = 0;
    uint64_t since_us_ = 0;
    bool is_taken_ = false;
};

}  // namespace sluice::php
