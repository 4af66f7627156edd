// What a reactor refuses because there is too much of it: connections of one address, bytes for clients.

#include <algorithm>
#include <bit>

#include "base/log.h"
#include "server/seam/message_share.h"
#include "server/seam/out_memory.h"
#include "server/reactor/reactor.h"

namespace sluice {

namespace {
/// Workers refuse a send by what they see of the queue, which is without the frame headers of what is on its
/// way. What they have promised is kept.
constexpr size_t kQueueSlackBytes = 65536;
}  // namespace

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

// -- Bytes for clients

bool Reactor::out_memory_is_full() const {
    return OutMemory::total() > limits_.queued_total_bytes / layout_.shape().processes();
}

bool Reactor::has_room(const Connection& connection, size_t bytes) const {
    const bool alone = connection.out.empty();
    // Workers look at the total as it was a turn ago: what they have promised since stood in their rings.
    const SharedLayout::Shape& shape = layout_.shape();
    const uint64_t promised = shape.ring_bytes * std::max<uint64_t>(1, shape.worker_slots / 2);
    const bool is_full =
        OutMemory::total() > message_share(limits_.queued_total_bytes) / shape.processes() + promised;
    // A message that is alone in the queue may be longer than the limit, or it could never be sent; and when
    // others fill the memory, a client that reads still gets what is small.
    const bool fits = alone || connection.out.bytes() + bytes <= limits_.queued_bytes + kQueueSlackBytes;
    return fits && (!is_full || (alone && bytes <= kSmallWhenFullBytes));
}

bool Reactor::may_queue(Connection& connection, size_t bytes) {
    if (has_room(connection, bytes)) return true;
    count_dropped(connection, bytes);
    return false;
}

void Reactor::count_dropped(const Connection& connection, size_t bytes) {
    // Said the first, second, fourth, eighth … time, so that the log does not become the next problem.
    if (std::has_single_bit(++dropped_)) {
        SLUICE_WARNING(
            "dropped a message of %zu bytes: its client does not read, %zu bytes wait for it "
            "(queuedBytes: %llu) and %zu for all (queuedTotalBytes: %llu); %llu dropped so far",
            bytes, queued_bytes(connection), static_cast<unsigned long long>(limits_.queued_bytes),
            OutMemory::total(), static_cast<unsigned long long>(limits_.queued_total_bytes),
            static_cast<unsigned long long>(dropped_));
    }
}

// -- Silence

/// When a WebSocket or TCP connection has been silent for too long; 0: never.
uint64_t Reactor::idle_due_ms(const Connection& connection) const {
    if (!limits_.idle_ms || connection.phase != Phase::kOpen || connection.awaits_proxy) return 0;
    if (auto* websocket = std::get_if<WebSocketSession>(&connection.session);
        websocket && !websocket->is_open())
        return 0;
    const bool has_own_pace = std::holds_alternative<WebSocketSession>(connection.session) ||
                              std::holds_alternative<TcpSession>(connection.session);
    if (!has_own_pace) return 0;
    return connection.active_ms + limits_.idle_ms;
}

void Reactor::end_idle(Connection& connection) {
    static constexpr std::string_view kReason = "nothing came or went for too long";
    if (auto* websocket = std::get_if<WebSocketSession>(&connection.session);
        websocket && websocket->is_open()) {
        websocket->close(*this, connection, websocket::close_code::kPolicyViolation, kReason);
        set_close(connection, websocket::close_code::kPolicyViolation, kReason);
    } else {
        set_close(connection, websocket::close_code::kPolicyViolation, kReason);
        finish(connection);
    }
}

}  // namespace sluice
