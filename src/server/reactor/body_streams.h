#pragma once

#include <unordered_map>

#include "io/poller.h"
#include "server/reactor/quota.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// The bodies that handlers read as they arrive, each through a pipe: how many there may be, and which
/// connections wait for their reader.
class BodyStreams {
  public:
    BodyStreams(size_t most, Poller& poller) : streams_(most), poller_(poller) {}

    /// False when there are too many.
    bool begin() { return streams_.take(); }
    /// `writer`: the descriptor that the body came from, about to be closed; -1: there was none.
    void end(int writer);
    /// The connection waits until the descriptor can be written to, or is of no use any more.
    void await(int writer, ConnectionId connection);
    /// Told by the poller: whose wait is over; kNoConnection: nobody's.
    ConnectionId ready(int writer);

    size_t count() const { return streams_.taken(); }

  private:
    Quota streams_;
    Poller& poller_;
    std::unordered_map<int, ConnectionId> awaited_;
};

}  // namespace sluice
