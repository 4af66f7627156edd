#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/address.h"
#include "server/config/choices.h"
#include "server/seam/connection_id.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// What workers see of the connections of one reactor, in memory that workers and reactor share.
class ConnectionCells {
  public:
    explicit ConnectionCells(const SharedLayout& layout) : layout_(layout) {}

    /// The connection begins, and is open to workers.
    void begin(ConnectionId id, const Address& peer, SlowClient policy, uint16_t endpoint = 0) const;
    /// From here on workers find the connection closed.
    void hide(ConnectionId id) const;

    /// The other end of the connection, or the client that it has named.
    const Address& peer(ConnectionId id) const { return layout_.connection(id).peer; }
    /// The peer is a proxy that has named the connection's client.
    void name_client(ConnectionId id, const Address& client) const;
    /// The peer of a stream is that of `parent`, the connection that carries the stream.
    void take_peer_of(ConnectionId id, ConnectionId parent) const;

    void note_protocol(ConnectionId id, std::string_view protocol) const;
    /// The path of a WebSocket whose route has parameters; at most PathCell::kMostBytes.
    void note_path(ConnectionId id, uint16_t endpoint, std::string_view path) const;
    /// The connection has become one of a route, `endpoint`.
    void note_route(ConnectionId id, uint16_t endpoint, SlowClient policy) const;
    void note_round_trip(ConnectionId id, uint32_t microseconds) const;
    void note_subscriptions(ConnectionId id, size_t count) const;
    /// `bytes`: all that waits for the client. `over_share`: OutBudget::is_over_share() of one more.
    void note_queued(ConnectionId id, size_t bytes, bool over_share) const;
    /// `bytes` of a worker's commands were queued or dropped. Workers take submitted less handled bytes as on
    /// their way. `queued_bytes`, all that waits for the client, is noted at once: a busy worker fills its
    /// ring several times in a turn.
    void note_handled(ConnectionId id, size_t bytes, size_t queued_bytes, bool over_share) const;

  private:
    const SharedLayout& layout_;
};

}  // namespace sluice
