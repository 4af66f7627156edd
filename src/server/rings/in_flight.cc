#include "server/rings/in_flight.h"

#include <algorithm>

namespace sluice {

bool InFlightTable::hold(uint64_t end, uint64_t parked) {
    const auto place = std::lower_bound(ring_.begin(), ring_.end(), end,
                                        [](const InFlight& one, uint64_t end) { return one.end < end; });
    if (place == ring_.end() || place->end != end || place->held || held_.size() >= most_held_) return false;
    place->held = true;
    ++leaving_;
    InFlight& message = held_[end] = *place;
    message.parked = parked;
    places_.charge(message.client, 1);
    return true;
}

bool InFlightTable::finish(uint64_t end, ConnectionId& connection) {
    const auto place = held_.find(end);
    if (place == held_.end()) return false;
    connection = place->second.connection;
    places_.give_back(place->second.client);
    held_.erase(place);
    return true;
}

size_t InFlightTable::unbegun(uint64_t taken) const {
    const auto first = std::upper_bound(ring_.begin(), ring_.end(), taken,
                                        [](uint64_t taken, const InFlight& one) { return taken < one.end; });
    return static_cast<size_t>(ring_.end() - first);
}

uint64_t InFlightTable::middle_behind(uint64_t taken) const {
    const size_t count = unbegun(taken);
    return count == 0 ? 0 : ring_[ring_.size() - count + count / 2].end;
}

std::vector<InFlight> InFlightTable::take_all() {
    std::vector<InFlight> all;
    for (const auto& [end, message] : held_) {
        places_.give_back(message.client);
        all.push_back(message);
    }
    std::sort(all.begin(), all.end(), [](const InFlight& a, const InFlight& b) { return a.end < b.end; });
    const auto held = static_cast<ptrdiff_t>(all.size());
    for (const InFlight& message : ring_)
        if (!message.held) all.push_back(message);
    std::inplace_merge(all.begin(), all.begin() + held, all.end(),
                       [](const InFlight& a, const InFlight& b) { return a.end < b.end; });
    ring_.clear();
    held_.clear();
    leaving_ = 0;
    return all;
}

}  // namespace sluice
