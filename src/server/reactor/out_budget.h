#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "server/seam/shared_layout.h"

namespace sluice {

struct Connection;
class Endpoints;
struct Limits;

/// What may wait for clients in memory: for one of them SendLimits::queued_bytes, for all
/// Limits::queued_total_bytes.
class OutBudget {
  public:
    /// `endpoints` stays the caller's, who may change it.
    OutBudget(const SharedLayout::Shape& shape, const Limits& limits,
              const std::shared_ptr<const Endpoints>& endpoints)
        : shape_(shape), limits_(limits), endpoints_(endpoints) {}

    /// All that may wait does.
    bool is_full() const;
    /// Whether a request of this client may be begun, of which nobody knows how long its response will be.
    /// When all is full, only one who has taken everything, and out of a reserve; see SlowReaders.
    bool may_begin(const Connection& client, uint64_t now_ms);
    /// Since when somebody has wanted more than there is; 0: nobody has, since it was last full.
    uint64_t wanted_since_ms() const { return wanted_since_ms_; }
    void satisfied() { wanted_since_ms_ = 0; }
    /// Enough room for a while.
    bool is_relieved() const;
    /// Of what may wait, the part of one reactor.
    uint64_t share_bytes() const;
    /// Whether that much more may wait for the client.
    bool has_room(const Connection& connection, size_t bytes) const;
    /// has_room(), with a refusal counted and logged.
    bool may_queue(const Connection& connection, size_t bytes);
    /// Says in the log, now and then, what clients that do not read have missed.
    void count_dropped(const Connection& connection, size_t bytes);

  private:
    uint64_t most_queued(const Connection& connection) const;

    const SharedLayout::Shape& shape_;
    const Limits& limits_;
    const std::shared_ptr<const Endpoints>& endpoints_;
    uint64_t dropped_ = 0;
    uint64_t wanted_since_ms_ = 0;
};

}  // namespace sluice
