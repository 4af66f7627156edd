#include "server/reactor/address_limits.h"

#include <bit>

#include "core/log.h"
#include "server/reactor/connection.h"
#include "server/seam/address_table.h"
#include "server/seam/reactor_figures.h"
#include "server/sharing/client_key.h"

namespace sluice {

bool AddressLimits::admits(const Address& client, uint64_t now_ms, uint64_t& key) {
    key = 0;
    if (!limits_.connections_per_address && !limits_.connections_per_address_per_second) return true;
    key = client_key(client, layout_.shape().secret);
    if (!key) return true;
    const uint32_t second = static_cast<uint32_t>(now_ms / 1000);
    AddressTable::Count all;
    for (unsigned reactor = 0; reactor < layout_.shape().reactors; ++reactor) {
        const AddressTable::Count here = AddressTable(layout_.addresses(reactor)).count(key, second);
        all.open += here.open;
        all.recent += here.recent;
    }
    const bool too_many = limits_.connections_per_address && all.open >= limits_.connections_per_address;
    const bool too_fast = limits_.connections_per_address_per_second &&
                          all.recent >= limits_.connections_per_address_per_second;
    if (!too_many && !too_fast) return true;
    layout_.figures(reactor_).count_refusal(too_many ? "connectionsPerAddress"
                                                     : "connectionsPerAddressPerSecond");
    if (std::has_single_bit(++refused_)) {
        SLUICE_WARNING(
            "refused a connection of %s: it has %u open (connectionsPerAddress: %u), and opened %u "
            "in this second (connectionsPerAddressPerSecond: %u); %llu such so far",
            client.to_peer_string().c_str(), all.open, limits_.connections_per_address, all.recent,
            limits_.connections_per_address_per_second, static_cast<unsigned long long>(refused_));
    }
    return false;
}

void AddressLimits::count(Connection& connection, uint64_t key, uint64_t now_ms) const {
    if (!key) return;
    const uint32_t second = static_cast<uint32_t>(now_ms / 1000);
    connection.counted = AddressTable(layout_.addresses(reactor_)).opened(key, second);
    connection.address_key = key;
}

void AddressLimits::uncount(Connection& connection) const {
    if (!connection.counted) return;
    AddressTable(layout_.addresses(reactor_)).closed(connection.address_key);
    connection.counted = false;
}

}  // namespace sluice
