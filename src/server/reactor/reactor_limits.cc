// What a reactor refuses because there is too much of it: connections of one address, bytes for clients.

#include <bit>

#include "base/log.h"
#include "protocol/websocket/websocket_frame.h"
#include "server/reactor/reactor.h"
#include "server/seam/address_table.h"

namespace sluice {

// -- Addresses

/// Whether one more of this address may come; `key`: what it is counted as, 0 for not at all.
bool Reactor::admits(const Address& client, uint64_t& key) {
    key = 0;
    if (!limits_.connections_per_address && !limits_.connections_per_address_per_second) return true;
    key = AddressTable::key_of(client, layout_.shape().secret);
    if (!key) return true;
    const uint32_t second = static_cast<uint32_t>(now_ms_ / 1000);
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
    if (std::has_single_bit(++addresses_refused_)) {
        SLUICE_WARNING(
            "refused a connection of %s: it has %u open (connectionsPerAddress: %u), and opened %u "
            "in this second (connectionsPerAddressPerSecond: %u); %llu such so far",
            client.to_peer_string().c_str(), all.open, limits_.connections_per_address, all.recent,
            limits_.connections_per_address_per_second, static_cast<unsigned long long>(addresses_refused_));
    }
    return false;
}

void Reactor::count_address(Connection& connection, uint64_t key) {
    if (!key) return;
    const uint32_t second = static_cast<uint32_t>(now_ms_ / 1000);
    if (AddressTable(layout_.addresses(index_)).opened(key, second)) connection.address_key = key;
}

void Reactor::uncount_address(Connection& connection) {
    if (!connection.address_key) return;
    AddressTable(layout_.addresses(index_)).closed(connection.address_key);
    connection.address_key = 0;
}

// -- Silence

/// When a WebSocket or TCP connection has been silent for too long; 0: never.
uint64_t Reactor::idle_due_ms(const Connection& connection) const {
    if (!limits_.idle_ms || connection.phase != Phase::kOpen || connection.awaits_proxy) return 0;
    return connection.session->ends_when_idle() ? connection.active_ms + limits_.idle_ms : 0;
}

void Reactor::end_idle(Connection& connection) {
    static constexpr std::string_view kReason = "nothing came or went for too long";
    connection.set_close(websocket::close_code::kPolicyViolation, kReason);
    connection.session->close(*this, connection, websocket::close_code::kPolicyViolation, kReason);
}

}  // namespace sluice
