#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <vector>

#include "server/seam/messages.h"

namespace sluice::php {

/// Pipelined requests (inbound::Request::pipelined) whose responses are being made, and those behind them,
/// each of which begins when the response before it is complete.
class Pipelines {
  public:
    /// How many requests wait.
    size_t size() const { return size_; }

    /// The response to a request of the connection is being made.
    void begin(ConnectionId connection) {
        if (spare_.empty()) {
            by_connection_.try_emplace(connection);
            return;
        }
        spare_.key() = connection;
        auto inserted = by_connection_.insert(std::move(spare_));
        spare_ = std::move(inserted.node);
    }
    /// Keeps a request when one before it has no complete response, and returns its place; nullptr when it
    /// need not wait.
    Inbound* add(const Inbound& request) {
        if (by_connection_.empty()) return nullptr;
        const auto place = by_connection_.find(request.connection);
        if (place == by_connection_.end()) return nullptr;
        ++size_;
        return &place->second.emplace_back(request);
    }
    /// The response is complete, or will never be: the connection's next request can begin.
    void end(ConnectionId connection) {
        const auto place = by_connection_.find(connection);
        if (place == by_connection_.end()) return;
        if (!place->second.empty()) {
            ready_.push_back(connection);
        } else {
            spare_ = by_connection_.extract(place);
        }
    }

    bool has_ready() const { return !ready_.empty(); }
    /// Takes a request that can begin; only when there is one. Those behind it wait for its end().
    Inbound take() {
        std::deque<Inbound>& waiting = by_connection_.find(ready_.front())->second;
        ready_.pop_front();
        const Inbound request = waiting.front();
        waiting.pop_front();
        --size_;
        return request;
    }

  private:
    using Waiting = std::unordered_map<ConnectionId, std::deque<Inbound>>;
    Waiting by_connection_;
    Waiting::node_type spare_;  ///< the last that was not needed any more: nearly all wait for nothing
    std::deque<ConnectionId> ready_;
    size_t size_ = 0;
};

}  // namespace sluice::php
