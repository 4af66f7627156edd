#include "server/reactor/connection_census.h"

#include "server/reactor/connection.h"
#include "server/seam/request_cells.h"

namespace sluice {

namespace {
/// Of those that hold at a time, what the server or the client has to do before anything else goes on.
ConnectionState state_of(const Connection& connection) {
    if (connection.phase != Phase::kOpen) return ConnectionState::kClosing;
    if (connection.awaits_proxy || (connection.tls() && !connection.tls()->is_ready()))
        return ConnectionState::kHandshake;
    if (connection.waiting && !connection.throttled) return ConnectionState::kWaiting;
    if (!connection.out.empty()) return ConnectionState::kWriting;
    switch (connection.session->activity(connection)) {
        case Activity::kHandling: return ConnectionState::kHandling;
        case Activity::kReading: return ConnectionState::kReading;
        case Activity::kNothing: break;
    }
    return ConnectionState::kIdle;
}

constexpr uint64_t kOneLess = UINT64_MAX;
}  // namespace

/// Only for one that is counted.
std::atomic<uint64_t>& ConnectionCensus::place_of(const Connection& connection) const {
    return figures_
        .connections[static_cast<size_t>(connection.counted_protocol)][connection.counted_state - 1u];
}

void ConnectionCensus::look(Connection& connection) const {
    if (connection.is_stream) return;
    const auto state = static_cast<uint8_t>(static_cast<uint8_t>(state_of(connection)) + 1);
    const ConnectionProtocol protocol = connection.session->protocol();
    if (connection.counted_state == state && connection.counted_protocol == protocol) return;
    forget(connection);
    connection.counted_state = state & 7;
    connection.counted_protocol = protocol;
    HistogramCell::add(place_of(connection), 1);
}

void ConnectionCensus::forget(Connection& connection) const {
    if (connection.counted_state == 0) return;
    HistogramCell::add(place_of(connection), kOneLess);
    connection.counted_state = 0;
}

}  // namespace sluice
