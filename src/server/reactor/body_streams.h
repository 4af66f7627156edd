#pragma once

#include <unordered_map>

#include "io/poller.h"
#include "server/reactor/quota.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// Bodies that handlers read as they arrive, each through a pipe: their limit, and the connections that wait
/// for a reader.
class BodyStreams {
  public:
    BodyStreams(size_t most, Poller& poller) : streams_(most), poller_(poller) {}

    /// Counts another stream. False when there are too many.
    bool begin() { return streams_.take(); }
    /// `writer`: the pipe's writing end, about to be closed; -1: none.
    void end(int writer);
    /// The connection waits until `writer` has one of these events of poll(2), or is broken.
    void await(int writer, short events, ConnectionId connection);
    /// Called for the poller's event: the connection whose wait is over, or kNoConnection.
    ConnectionId ready(int writer);

    size_t count() const { return streams_.taken(); }

  private:
    Quota streams_;
    Poller& poller_;
    std::unordered_map<int, ConnectionId> awaited_;
};

}  // namespace sluice
