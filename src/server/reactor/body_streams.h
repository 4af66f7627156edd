#pragma once

#include <unordered_map>

#include "io/poller.h"
#include "server/seam/connection_id.h"
#include "server/sharing/budget.h"

namespace sluice {

/// Bodies that handlers read as they arrive, each through a pipe: their limit, and the connections that wait
/// for a reader.
class BodyStreams {
  public:
    BodyStreams(size_t most, Poller& poller) : streams_(most), poller_(poller) {}

    /// Counts another stream of this client (Connection::client_key()). False when there are too many, or
    /// when the client has its share of them.
    bool begin(uint64_t client) { return streams_.take(client); }
    /// `writer`: the pipe's writing end, about to be closed; -1: none.
    void end(uint64_t client, int writer);
    /// The connection waits until `writer` has one of these events of poll(2), or is broken.
    void await(int writer, short events, ConnectionId connection);
    /// Called for the poller's event: the connection whose wait is over, or kNoConnection.
    ConnectionId ready(int writer);

    size_t count() const { return streams_.used(); }

  private:
    Budget streams_;
    Poller& poller_;
    std::unordered_map<int, ConnectionId> awaited_;
};

}  // namespace sluice
