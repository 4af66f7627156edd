#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/address.h"
#include "server/config/choices.h"
#include "server/seam/connection_id.h"
#include "server/seam/shared_layout.h"

namespace sluice {

/// What workers see of the connections of one reactor, in memory that they share with it.
class ConnectionCells {
  public:
    explicit ConnectionCells(const SharedLayout& layout) : layout_(layout) {}

    /// A connection begins, and is open to workers.
    void begin(ConnectionId id, const Address& peer, SlowClient policy, uint16_t endpoint = 0) const;
    /// Answers `closed` to workers from here on.
    void hide(ConnectionId id) const;

    /// The other end of the connection, or the client that it has named.
    const Address& peer(ConnectionId id) const { return layout_.connection(id).peer; }
    /// The connection's client is somebody else than its peer, which has said so.
    void name_client(ConnectionId id, const Address& client) const;
    /// A stream comes from where the connection that carries it does, `parent`.
    void take_peer_of(ConnectionId id, ConnectionId parent) const;

    void note_protocol(ConnectionId id, std::string_view protocol) const;
    /// Of a WebSocket whose route has parameters; at most PathCell::kMostBytes.
    void note_path(ConnectionId id, uint16_t endpoint, std::string_view path) const;
    /// It has become one of a route.
    void note_route(ConnectionId id, uint16_t endpoint, SlowClient policy) const;
    void note_round_trip(ConnectionId id, uint32_t microseconds) const;
    void note_subscriptions(ConnectionId id, size_t count) const;
    /// `over_part`: OutBudget::is_over_part().
    void note_queued(ConnectionId id, size_t bytes, bool over_part) const;
    /// Workers see what is on its way as submitted less handled; now it is queued, and seen there, or
    /// dropped. All that waits is told anew with it: a worker that goes on fills its ring several times in a
    /// turn.
    void note_handled(ConnectionId id, size_t bytes, size_t queued_bytes, bool over_part) const;

  private:
    const SharedLayout& layout_;
};

}  // namespace sluice
