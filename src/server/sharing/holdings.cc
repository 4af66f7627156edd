#include "server/sharing/holdings.h"

#include <bit>
#include <utility>

namespace sluice {

size_t Holdings::place_of(Key key) const {
    size_t place = home_of(key);
    while (places_[place].key != key && places_[place].key != kNobody)
        place = (place + 1) & (places_.size() - 1);
    return place;
}

uint64_t Holdings::of(Key key) const {
    return size_ && key != kNobody ? places_[place_of(key)].amount : 0;
}

void Holdings::add(Key key, uint64_t amount) {
    if (key == kNobody || amount == 0) return;
    if (2 * (size_ + 1) > places_.size()) resize(places_.empty() ? kLeastPlaces : 2 * places_.size());
    Place& place = places_[place_of(key)];
    if (place.key == kNobody) {
        place.key = key;
        ++size_;
    }
    place.amount += amount;
}

void Holdings::take(Key key, uint64_t amount) {
    if (key == kNobody || amount == 0 || size_ == 0) return;
    const size_t place = place_of(key);
    if (places_[place].key != key) return;
    places_[place].amount -= amount;
    if (places_[place].amount == 0) erase(place);
}

/// Those behind it move up: each to the free place, unless its home lies behind that.
void Holdings::erase(size_t free) {
    const size_t mask = places_.size() - 1;
    for (size_t next = (free + 1) & mask; places_[next].key != kNobody; next = (next + 1) & mask) {
        const size_t way = (next - home_of(places_[next].key)) & mask;
        if (way < ((next - free) & mask)) continue;
        places_[free] = places_[next];
        free = next;
    }
    places_[free] = {};
    --size_;
    if (places_.size() > kLeastPlaces && 8 * size_ < places_.size()) resize(places_.size() / 2);
}

void Holdings::resize(size_t places) {
    std::vector<Place> before = std::exchange(places_, std::vector<Place>(places));
    shift_ = static_cast<unsigned>(64 - std::countr_zero(places));
    for (const Place& place : before)
        if (place.key != kNobody) places_[place_of(place.key)] = place;
}

}  // namespace sluice
