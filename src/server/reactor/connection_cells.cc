#include "server/reactor/connection_cells.h"

#include <algorithm>
#include <cstring>

#include "protocol/websocket/websocket_handshake.h"
#include "server/seam/out_memory.h"

namespace sluice {

namespace {
/// Clamped: no limit is above UINT32_MAX.
uint32_t told(size_t queued_bytes) {
    return static_cast<uint32_t>(std::min<size_t>(queued_bytes, UINT32_MAX));
}
}  // namespace

void ConnectionCells::begin(ConnectionId id, const Address& peer, SlowClient policy,
                            uint16_t endpoint) const {
    ConnectionCell& cell = layout_.connection(id);
    cell.peer = peer;
    cell.queued_bytes.store(0, std::memory_order_relaxed);
    cell.over_share.store(false, std::memory_order_relaxed);
    cell.submitted_bytes.store(0, std::memory_order_relaxed);
    cell.handled_bytes.store(0, std::memory_order_relaxed);
    cell.protocol.store(0, std::memory_order_relaxed);
    cell.proxied.store(false, std::memory_order_relaxed);
    cell.round_trip_us.store(0, std::memory_order_relaxed);
    cell.subscriptions.store(0, std::memory_order_relaxed);
    cell.slow_client.store(policy, std::memory_order_relaxed);
    cell.endpoint.store(endpoint, std::memory_order_relaxed);
    cell.id.store(id, std::memory_order_release);
}

void ConnectionCells::hide(ConnectionId id) const {
    ConnectionCell& cell = layout_.connection(id);
    if (cell.id.load(std::memory_order_relaxed) == id) cell.id.store(0, std::memory_order_release);
}

void ConnectionCells::name_client(ConnectionId id, const Address& client) const {
    ConnectionCell& cell = layout_.connection(id);
    // Seqlock: readers must not take a half-written address for valid.
    cell.id.store(0, std::memory_order_release);
    if (!cell.proxied.load(std::memory_order_relaxed)) layout_.proxy(id) = cell.peer;
    cell.peer = client;
    cell.proxied.store(true, std::memory_order_relaxed);
    cell.id.store(id, std::memory_order_release);
}

void ConnectionCells::take_peer_of(ConnectionId id, ConnectionId parent) const {
    if (!layout_.connection(parent).proxied.load(std::memory_order_relaxed)) return;
    layout_.proxy(id) = layout_.proxy(parent);
    layout_.connection(id).proxied.store(true, std::memory_order_relaxed);
}

void ConnectionCells::note_protocol(ConnectionId id, std::string_view protocol) const {
    layout_.connection(id).protocol.store(websocket::protocol_number(protocol), std::memory_order_relaxed);
}

void ConnectionCells::note_path(ConnectionId id, uint16_t endpoint, std::string_view path) const {
    PathCell& cell = layout_.path(id);
    // A reader of the former connection's path notices that the cell has been reused.
    cell.id.store(kNoConnection, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    cell.endpoint = endpoint;
    cell.bytes = static_cast<uint16_t>(std::min(path.size(), PathCell::kMostBytes));
    memcpy(cell.path, path.data(), cell.bytes);
    cell.id.store(id, std::memory_order_release);
}

void ConnectionCells::note_route(ConnectionId id, uint16_t endpoint, SlowClient policy) const {
    ConnectionCell& cell = layout_.connection(id);
    cell.slow_client.store(policy, std::memory_order_relaxed);
    cell.endpoint.store(endpoint, std::memory_order_relaxed);
}

void ConnectionCells::note_round_trip(ConnectionId id, uint32_t microseconds) const {
    layout_.connection(id).round_trip_us.store(microseconds, std::memory_order_relaxed);
}

void ConnectionCells::note_subscriptions(ConnectionId id, size_t count) const {
    layout_.connection(id).subscriptions.store(static_cast<uint16_t>(std::min<size_t>(count, UINT16_MAX)),
                                               std::memory_order_relaxed);
}

void ConnectionCells::note_queued(ConnectionId id, size_t bytes, bool over_share) const {
    ConnectionCell& cell = layout_.connection(id);
    cell.queued_bytes.store(told(bytes), std::memory_order_relaxed);
    cell.over_share.store(over_share, std::memory_order_relaxed);
}

void ConnectionCells::note_handled(ConnectionId id, size_t bytes, size_t queued_bytes,
                                   bool over_share) const {
    layout_.reactor(reactor_of(id))
        .out_bytes.store(OutMemory::total_with_extents(), std::memory_order_relaxed);
    ConnectionCell& cell = layout_.connection(id);
    cell.queued_bytes.store(told(queued_bytes), std::memory_order_relaxed);
    cell.over_share.store(over_share, std::memory_order_relaxed);
    cell.handled_bytes.store(cell.handled_bytes.load(std::memory_order_relaxed) + bytes,
                             std::memory_order_relaxed);
}

}  // namespace sluice
