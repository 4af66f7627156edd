#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "server/reactor/connection.h"
#include "server/seam/out_memory.h"
#include "server/seam/shared_layout.h"
#include "server/sharing/budget.h"

namespace sluice {

class Endpoints;
struct Limits;
struct ReactorFigures;

/// What may wait for clients in memory: for one client SendLimits::queued_bytes, for all clients
/// Limits::queued_total_bytes, which clients share as ShareRule says. The memory is counted by OutMemory,
/// once for however many clients; what each client has waiting, in a Budget.
class OutBudget {
  public:
    /// `endpoints` stays the caller's, who may put another table there.
    OutBudget(const SharedLayout::Shape& shape, const Limits& limits,
              const std::shared_ptr<const Endpoints>& endpoints, ReactorFigures& figures)
        : shape_(shape), limits_(limits), endpoints_(endpoints), figures_(figures) {}

    /// Charges the client for what is held for it; once per turn in which that may have changed.
    void charge(Connection& connection, size_t held) {
        if (held != connection.charged_bytes) set_charge(connection, held);
    }
    /// A whole response is not taken at once by its client: so much of it is kept here.
    void note_kept(size_t bytes) { kept_bytes_ += bytes; }
    /// A response is awaited of a worker, or no longer.
    void expect(int change) {
        awaited_ += static_cast<uint32_t>(change);
        if (change < 0 && ++responses_ == kResponses) measure();
    }
    /// Nothing waits for the client any more, or another key is about to be charged for it.
    void release(Connection& connection) { charge(connection, 0); }

    /// As much waits as may.
    bool is_full() const;
    /// So much more waits than may that nobody waits for slow readers.
    bool is_overrun() const;
    /// There is room for a while: no more slow readers need be cut off.
    bool is_relieved() const;
    /// Whether a request of this client may be begun; its response is expected to leave as much here as
    /// responses have left lately. When the budget is full, or will be with the responses that are awaited,
    /// only a client that is known and has taken everything may, and within its share of the reserve.
    bool may_begin(const Connection& client);
    /// Somebody within his share has found the memory full; see Reclaiming.
    bool is_wanted() const { return wanted_; }
    void satisfied() { wanted_ = false; }
    /// One reactor's part of Limits::queued_total_bytes.
    uint64_t share_bytes() const;
    /// What one client may have waiting, with all that waits now.
    uint64_t share_of_one() const { return messages().share(OutMemory::total_with_extents()); }
    /// The client has more than its share waiting, when `bytes` more do: no more for it.
    bool is_over_share(const Connection& connection, size_t bytes = 0) const {
        return !messages().allows(OutMemory::total_with_extents() + bytes, held_with(connection));
    }
    /// Whether `bytes` more may wait for the client.
    bool has_room(const Connection& connection, size_t bytes);
    /// has_room(), with a refusal counted and logged.
    bool may_queue(const Connection& connection, size_t bytes);
    /// For the metrics; and says in the log, now and then, what clients that do not read have missed.
    void count_dropped(const Connection& connection, size_t bytes);

  private:
    void set_charge(Connection& connection, size_t held);
    uint64_t most_bytes() const;
    ShareRule messages() const;
    ShareRule requests() const;
    uint64_t most_queued(const Connection& connection) const;
    uint64_t held_with(const Connection& connection) const;
    uint64_t expected_bytes() const;
    void measure();

    /// Over so many responses is measured what they leave here.
    static constexpr uint32_t kResponses = 32;
    /// So many that are awaited count at most: workers have the others in hand for long.
    static constexpr uint32_t kMostAwaited = 64;

    const SharedLayout::Shape& shape_;
    const Limits& limits_;
    const std::shared_ptr<const Endpoints>& endpoints_;
    ReactorFigures& figures_;
    Budget waiting_{UINT64_MAX};  ///< bytes, by client; bounded by the rules above
    uint64_t dropped_ = 0;
    bool wanted_ = false;
    uint32_t awaited_ = 0;
    uint32_t responses_ = 0;   ///< since the last measure()
    uint64_t kept_bytes_ = 0;  ///< of them
    uint64_t per_response_ = 0;
};

}  // namespace sluice
