#include "server/reactor/slow_readers.h"

#include <algorithm>
#include <bit>

#include "core/log.h"
#include "server/config/limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"
#include "server/seam/out_memory.h"

namespace sluice {

namespace {
/// Who has just taken something counts as if that had been so long ago.
constexpr uint64_t kFreshMs = 1000;
}  // namespace

/// What it holds, times how long it has been behind the least rate.
uint64_t SlowReaders::weight_of(const Connection& connection) const {
    const uint64_t latest_ms = to_.commons.now_ms + to_.commons.sending(connection.endpoint).write_ms;
    const uint64_t behind_ms = latest_ms - std::min(latest_ms, connection.write_deadline_ms);
    return connection.queued_bytes() * (kFreshMs + behind_ms);
}

void SlowReaders::cut_off() {
    const uint64_t wanted_since_ms = to_.commons.out_budget.wanted_since_ms();
    if (!wanted_since_ms) return;
    if (!to_.commons.out_budget.is_full()) {
        to_.commons.out_budget.satisfied();
        return;
    }
    if (to_.commons.now_ms - wanted_since_ms < kPatienceMs) return;
    uint64_t held_bytes = 0;
    candidates_.clear();
    to_.table.for_each([&](Connection& connection) {
        if (!connection.write_deadline_ms || connection.phase >= Phase::kLingering) return;
        held_bytes += connection.queued_bytes();
        candidates_.push_back({weight_of(connection), connection.id});
    });
    // Otherwise it is the clients of other reactors.
    if (held_bytes < to_.commons.out_budget.share_bytes() / 2) return;
    std::make_heap(candidates_.begin(), candidates_.end());
    while (!candidates_.empty() && !to_.commons.out_budget.is_relieved()) {
        std::pop_heap(candidates_.begin(), candidates_.end());
        if (Connection* connection = to_.table.find(candidates_.back().id)) cut_off(*connection);
        candidates_.pop_back();
    }
}

void SlowReaders::cut_off(Connection& connection) {
    if (std::has_single_bit(++cut_)) {
        SLUICE_WARNING(
            "cut off a client that does not read, so that others can be served: %zu bytes wait for it, and "
            "%zu "
            "for all (queuedTotalBytes: %llu); %llu cut off so far",
            connection.queued_bytes(), OutMemory::total(),
            static_cast<unsigned long long>(to_.commons.limits.queued_total_bytes),
            static_cast<unsigned long long>(cut_));
    }
    to_.life.abort(connection);
}

}  // namespace sluice
