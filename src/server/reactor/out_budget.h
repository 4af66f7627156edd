#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "server/reactor/connection.h"
#include "server/reactor/out_shares.h"
#include "server/seam/out_memory.h"
#include "server/seam/shared_layout.h"

namespace sluice {

class Endpoints;
struct Limits;

/// What may wait for clients in memory: for one client SendLimits::queued_bytes, for all clients
/// Limits::queued_total_bytes. When others hold much of the total, an address still gets its fair part.
class OutBudget {
  public:
    /// `endpoints` stays the caller's, who may put another table there.
    OutBudget(const SharedLayout::Shape& shape, const Limits& limits,
              const std::shared_ptr<const Endpoints>& endpoints)
        : shape_(shape), limits_(limits), endpoints_(endpoints) {}

    /// Charges what is held for the client to its address; once per turn in which that may have changed.
    void charge(Connection& connection, size_t held) {
        if (held || connection.charged) set_charge(connection, held);
    }
    /// Nothing waits for the client any more, or another address is about to be charged for the client.
    void release(Connection& connection) { charge(connection, 0); }

    /// As much waits as may.
    bool is_full() const;
    /// So much more waits than may that nobody waits for slow readers.
    bool is_overrun() const;
    /// There is room for a while: no more slow readers need be cut off.
    bool is_relieved() const;
    /// Whether a request of this client may be begun; nobody knows how long its response will be. When the
    /// budget is full, only a client that is known and has taken everything may, and whose address holds no
    /// more than its fair part.
    bool may_begin(const Connection& client);
    /// Somebody within his share has found the memory full; see SlowReaders.
    bool is_wanted() const { return wanted_; }
    void satisfied() { wanted_ = false; }
    /// One reactor's part of Limits::queued_total_bytes.
    uint64_t share_bytes() const;
    /// What clients of one address may have waiting when others hold all that messages may take.
    uint64_t fair_bytes() const;
    /// All that messages may take is held, and the client's address holds more than its part: no more for it.
    bool is_over_part(const Connection& connection) const {
        return OutMemory::total_with_extents() > message_bytes() && held_with(connection) > fair_bytes();
    }
    /// Whether `bytes` more may wait for the client.
    bool has_room(const Connection& connection, size_t bytes);
    /// has_room(), with a refusal counted and logged.
    bool may_queue(const Connection& connection, size_t bytes);
    /// Says in the log, now and then, what clients that do not read have missed.
    void count_dropped(const Connection& connection, size_t bytes);

    const OutShares& shares() const { return shares_; }

  private:
    void set_charge(Connection& connection, size_t held);
    uint64_t most_bytes() const;
    uint64_t message_bytes() const;
    uint64_t most_queued(const Connection& connection) const;
    uint64_t held_with(const Connection& connection) const;

    const SharedLayout::Shape& shape_;
    const Limits& limits_;
    const std::shared_ptr<const Endpoints>& endpoints_;
    OutShares shares_;
    uint64_t dropped_ = 0;
    bool wanted_ = false;
};

}  // namespace sluice
