#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>

#include "server/seam/messages.h"

namespace sluice::php {

/// Connections whose handler waits, and their messages meanwhile, which are handled in order.
class WaitingMessages {
  public:
    /// All messages.
    size_t size() const { return size_; }

    /// The handler of a message of the connection has begun to wait.
    void begin(ConnectionId connection) { by_connection_.try_emplace(connection); }
    /// Keeps a message when its connection's handler waits, and returns its place; nullptr when it need not
    /// wait.
    Inbound* add(const Inbound& message) {
        if (by_connection_.empty()) return nullptr;
        const auto place = by_connection_.find(message.connection);
        if (place == by_connection_.end()) return nullptr;
        ++size_;
        return &place->second.emplace_back(message);
    }
    /// How many messages of the connection wait.
    size_t behind(ConnectionId connection) const {
        const auto place = by_connection_.find(connection);
        return place == by_connection_.end() ? 0 : place->second.size();
    }
    /// Takes the connection's next message; false when there is none, and the connection waits no more.
    bool take(ConnectionId connection, Inbound& message) {
        const auto place = by_connection_.find(connection);
        if (place == by_connection_.end()) return false;
        if (place->second.empty()) {
            by_connection_.erase(place);
            return false;
        }
        message = place->second.front();
        place->second.pop_front();
        --size_;
        return true;
    }

  private:
    std::unordered_map<ConnectionId, std::deque<Inbound>> by_connection_;
    size_t size_ = 0;
};

}  // namespace sluice::php
