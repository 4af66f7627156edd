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

/// What may wait for clients in memory: for one of them SendLimits::queued_bytes, for all
/// Limits::queued_total_bytes. When others hold much of that, an address still gets its fair part.
class OutBudget {
  public:
    /// `endpoints` stays the caller's, who may change it.
    OutBudget(const SharedLayout::Shape& shape, const Limits& limits,
              const std::shared_ptr<const Endpoints>& endpoints)
        : shape_(shape), limits_(limits), endpoints_(endpoints) {}

    /// What is held for the client is charged to its address; once per turn in which that may have changed.
    void charge(Connection& connection, size_t held) {
        if (held || connection.charged) set_charge(connection, held);
    }
    /// Nothing waits for it any more, or it will be another address's.
    void release(Connection& connection) { charge(connection, 0); }

    /// All that may wait does.
    bool is_full() const;
    /// More than that, so much that those who do not read are not waited for.
    bool is_overrun() const;
    /// Enough room for a while.
    bool is_relieved() const;
    /// Whether a request of this client may be begun, of which nobody knows how long its response will be.
    /// When all is full, only one who has taken everything and whose address does not hold more than its fair
    /// part.
    bool may_begin(const Connection& client);
    /// Somebody who is within his share has found all taken; see SlowReaders.
    bool is_wanted() const { return wanted_; }
    void satisfied() { wanted_ = false; }
    /// Of what may wait, the part of one reactor.
    uint64_t share_bytes() const;
    /// What clients of one address may have waiting when others hold all that messages may take.
    uint64_t fair_bytes() const;
    /// Others hold all that messages may take, and the client's address more than its part: no more of them.
    bool is_over_part(const Connection& connection) const {
        return OutMemory::total() > message_bytes() && held_with(connection) > fair_bytes();
    }
    /// Whether that much more may wait for the client.
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
