#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <unordered_map>

#include "php/coroutine/occasion.h"
#include "php/coroutine/wait_queue.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

/// Limits the requests that a worker handles at a time for an endpoint, and those that it has given to the
/// endpoint's processes. Requests that wait have turns by client address: an address that has a thousand
/// requests waiting gets a turn as often as one that has a single request.
class HandlerTurns {
  public:
    /// What a request needs a turn of: its endpoint's handlers, by the endpoint's place, or its processes.
    static constexpr size_t share_of_processes(uint16_t endpoint) { return endpoint + size_t{UINT16_MAX}; }
    /// Of the processes that serve scripts.
    static constexpr size_t share_of_scripts(uint16_t endpoint) { return endpoint + 2 * size_t{UINT16_MAX}; }

    /// Takes a turn when fewer than `most` are taken.
    bool take(size_t share, uint32_t most);
    /// Waits for a turn, behind the waiting requests of the same client, after take() has got none. False
    /// when interrupted: an exception is set. `client`: see WorkerPort::client_key(). While it waits,
    /// `message` is set aside at `port`, unless that is nullptr: it has not begun, and when this worker dies
    /// another one gets it.
    bool await(size_t share, uint64_t client, WorkerPort* port, Inbound& message);
    /// Gives the turn back: the longest waiting request of the next client gets it.
    void give(size_t share);
    /// How many wait.
    uint32_t waiting() const { return waiting_; }

  private:
    /// The waiting requests of one client, in order of arrival; never empty.
    struct Line {
        uint64_t client;
        WaitQueue waiting;
    };
    /// Lines, in the order in which they get their next turn.
    class Lines {
      public:
        bool empty() const { return in_order_.empty(); }
        /// The client's line, at the end when it is new: to be waited in at once.
        WaitQueue& of(uint64_t client);
        /// Takes the client's line out if nobody waits in it any more.
        void tidy(uint64_t client);
        void serve_next();

      private:
        std::list<Line> in_order_;
        /// A tree: whatever addresses clients have, a look-up takes few steps.
        std::map<uint64_t, std::list<Line>::iterator> by_client_;
    };
    struct Share {
        uint32_t taken = 0;
        Lines lines = {};
    };
    std::unordered_map<size_t, Share> shares_;
    uint32_t waiting_ = 0;
};

/// One request's turn.
class HandlerTurn {
  public:
    explicit HandlerTurn(HandlerTurns& turns) : turns_(turns) {}

    /// Takes it, or waits for it as HandlerTurns::await() does. `most` of 0: no limit, and no turn.
    bool take(size_t share, uint32_t most, const Occasion& occasion, WorkerPort* port, Inbound& message) {
        if (most == 0) return true;
        share_ = share;
        is_taken_ = turns_.take(share, most) || turns_.await(share, occasion.client(), port, message);
        return is_taken_;
    }
    /// Gives it back, if there is one.
    void give() {
        if (is_taken_) turns_.give(share_);
        is_taken_ = false;
    }

  private:
    HandlerTurns& turns_;
    size_t share_ = 0;
    bool is_taken_ = false;
};

}  // namespace sluice::php
