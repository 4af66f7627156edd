#pragma once

#include <memory>
#include <vector>

#include "core/unique_fd.h"
#include "server/reactor/connection.h"
#include "server/reactor/connection_cells.h"
#include "server/seam/connection_id.h"

namespace sluice {

/// The connections of one reactor, each in the place that its id names. An id is never given twice.
class ConnectionTable {
  public:
    /// `places`: a power of two, twice the limit of connections. `first_serial`:
    /// higher than all serials ever given. `secret`: as for
    /// client_key().
    ConnectionTable(unsigned reactor, size_t places, uint64_t first_serial, const ConnectionCells& cells,
                    uint64_t secret)
        : reactor_(reactor),
          cells_(cells),
          secret_(secret),
          table_(places),
          mask_(places - 1),
          next_serial_(first_serial) {}

    Connection& add(UniqueFd fd, uint16_t endpoint, const Address& peer, SlowClient policy, uint64_t now_ms);
    /// Adds a connection with the peer of `parent`; the caller sets its Stream. nullptr: there are `most`
    /// streams already, or the table is full.
    Connection* add_stream(const Connection& parent, size_t most, uint64_t now_ms, SlowClient policy);
    void remove(Connection& connection);

    /// nullptr: there is no such connection (any more).
    Connection* find(ConnectionId id) const {
        Connection* connection = table_[id & mask_].get();
        return connection && connection->id == id ? connection : nullptr;
    }
    /// Calls `visit(Connection&)` for each connection; `visit` may remove it.
    template <typename Visit>
    void for_each(Visit visit) {
        for (auto& connection : table_) {
            if (connection) visit(*connection);
        }
    }
    size_t size() const { return connections_; }
    bool is_empty() const { return connections_ == 0; }
    /// Connections with a socket of their own.
    size_t clients() const { return connections_ - streams_; }
    size_t streams() const { return streams_; }

  private:
    const unsigned reactor_;
    const ConnectionCells& cells_;
    const uint64_t secret_;
    std::vector<std::unique_ptr<Connection>> table_;  ///< by the low bits of the serial
    const size_t mask_;
    uint64_t next_serial_;
    size_t connections_ = 0;  ///< including streams
    size_t streams_ = 0;
};

}  // namespace sluice
