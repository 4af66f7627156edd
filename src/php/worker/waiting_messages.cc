#include "php/worker/waiting_messages.h"

namespace sluice::php {

Inbound* WaitingMessages::add(const Inbound& message) {
    if (by_connection_.empty()) return nullptr;
    const auto place = by_connection_.find(message.connection);
    if (place == by_connection_.end()) return nullptr;
    ++size_;
    return &place->second.emplace_back(message);
}

bool WaitingMessages::take(ConnectionId connection, Inbound& message) {
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

}  // namespace sluice::php
