#include "server/reactor/out_shares.h"

namespace sluice {

namespace {
uint64_t find(const std::unordered_map<uint64_t, uint64_t>& held, uint64_t key) {
    const auto found = held.find(key);
    return found == held.end() ? 0 : found->second;
}

/// What `key` holds changes by so much; entries of those that hold nothing are dropped.
void change(std::unordered_map<uint64_t, uint64_t>& held, uint64_t key, uint64_t less, uint64_t more) {
    const auto place = held.try_emplace(key).first;
    place->second = place->second - less + more;
    if (place->second == 0) held.erase(place);
}
}  // namespace

void OutShares::set(ConnectionId client, uint64_t address, size_t bytes) {
    if (address == 0) return;
    const uint64_t before = held_by_client(client);
    change(clients_, client, before, bytes);
    change(addresses_, address, before, bytes);
}

uint64_t OutShares::held_by(uint64_t address) const {
    return find(addresses_, address);
}

uint64_t OutShares::held_by_client(ConnectionId client) const {
    return find(clients_, client);
}

}  // namespace sluice
