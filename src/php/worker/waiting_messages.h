#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>

#include "server/seam/messages.h"

namespace sluice::php {

/// Connections whose handler waits, and what has come from them meanwhile: it is handled in order.
class WaitingMessages {
  public:
    /// All messages.
    size_t size() const { return size_; }

    /// The handler of a message of the connection has begun to wait.
    void begin(ConnectionId connection) { by_connection_.try_emplace(connection); }
    /// Keeps a message when its connection's handler waits, and returns where it stands; nullptr when nothing
    /// has to wait.
    Inbound* add(const Inbound& message);
    /// The next of the connection's; false when there is none, and the connection waits no more.
    bool take(ConnectionId connection, Inbound& message);

  private:
    std::unordered_map<ConnectionId, std::deque<Inbound>> by_connection_;
    size_t size_ = 0;
};

}  // namespace sluice::php
