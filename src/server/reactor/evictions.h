#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "server/seam/connection_id.h"

namespace sluice {

class ConnectionLife;
class ConnectionTable;
struct Commons;
struct Connection;

/// Closes connections when there are too many, so that another client can be accepted: those that nobody may
/// be waiting on first, and of those that are idle the address that has most loses its longest idle one.
/// A connection in use is never closed.
class Evictions {
  public:
    struct Wiring {
        const Commons& commons;
        ConnectionTable& table;
        ConnectionLife& life;
    };
    explicit Evictions(const Wiring& wiring) : to_(wiring) {}

    /// Closes some connections, and returns how many. 0: none may be closed, or the last look was just now.
    size_t make_room();

    /// Least time between two looks through all connections that have found nothing.
    static constexpr uint64_t kPauseMs = 10;
    /// A connection on which nothing has come or gone for so long is idle.
    static constexpr uint64_t kIdleMs = 5000;
    /// How many are closed at a time: one look through all connections serves as many clients.
    static constexpr size_t kMostAtOnce = 32;
    /// Of clients that have left, this part of all connections: closing them costs nobody anything, and looks
    /// would take longer than all else when many come.
    static constexpr size_t kPartLeft = 16;

  private:
    /// Whom to close first: lower values.
    enum class Rank : uint8_t { kLeft, kIdle, kStuck, kInUse };
    struct Candidate {
        Rank rank;
        size_t of_address;  ///< how many idle connections its address has
        uint64_t active_ms;
        ConnectionId id;
    };
    Rank rank_of(const Connection& connection) const;
    void find_candidates();

    const Wiring to_;
    std::vector<Candidate> candidates_;            ///< empty between calls
    std::unordered_map<uint64_t, size_t> counts_;  ///< of idle connections, by address
    uint64_t looked_ms_ = 0;
    uint64_t closed_ = 0;
};

}  // namespace sluice
