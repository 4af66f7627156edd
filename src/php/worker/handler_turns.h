#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <unordered_map>

#include "io/address.h"
#include "php/coroutine/wait_queue.h"
#include "server/seam/worker_port.h"

namespace sluice::php {

/// Limits the requests that a worker handles at a time for an endpoint. Requests that wait have turns by
/// client address: an address that has a thousand requests waiting gets a turn as often as one that has a
/// single request.
class HandlerTurns {
  public:
    /// Takes a turn when fewer than `most` are taken. `share`: the endpoint that they belong to.
    bool take(size_t share, uint32_t most);
    /// Waits for a turn, behind the waiting requests of the same client, after take() has got none. False
    /// when interrupted: an exception is set. `client`: without an IP address, the message's connection has
    /// turns for itself. While it waits, `message` is set aside at `port`, unless that is nullptr: it has not
    /// begun, and when this worker dies another one gets it.
    bool await(size_t share, const Address& client, WorkerPort* port, Inbound& message);
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

}  // namespace sluice::php
