#pragma once

#include "server/seam/reactor_figures.h"

namespace sluice {

struct Connection;

/// Counts a reactor's connections by what they speak and do. Streams are not counted: the connection that
/// carries them is.
class ConnectionCensus {
  public:
    explicit ConnectionCensus(ReactorFigures& figures) : figures_(figures) {}

    /// Call it once something has happened to the connection.
    void look(Connection& connection) const;
    /// The connection is no more.
    void forget(Connection& connection) const;

  private:
    std::atomic<uint64_t>& place_of(const Connection& connection) const;

    ReactorFigures& figures_;
};

}  // namespace sluice
