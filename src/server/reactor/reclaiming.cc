#include "server/reactor/reclaiming.h"

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
/// Added to every client's lateness, so that what is held counts from the beginning.
constexpr uint64_t kFreshMs = 100;
}  // namespace

Reclaiming::Rank Reclaiming::rank_of(const Connection& connection) const {
    if (connection.is_stream || connection.phase == Phase::kGone) return kInUse;
    if (connection.phase == Phase::kLingering) return kLeft;
    if (connection.phase != Phase::kOpen || connection.session->is_conversation()) return kInUse;
    const bool is_begun =
        connection.session->awaited_response().worker != kNoWorker || !connection.out.empty();
    if (connection.peer_shut) return is_begun ? kStuck : kLeft;
    const bool is_idle = !is_begun && !connection.blocked && !connection.waiting && !connection.scheduled &&
                         connection.active_ms + kIdleMs <= to_.commons.now_ms;
    return is_idle ? kIdle : kInUse;
}

size_t Reclaiming::free_connections() {
    const uint64_t now_ms = to_.commons.now_ms;
    if (looked_for_connections_ms_ && now_ms < looked_for_connections_ms_ + kPauseMs) return 0;
    to_.table.for_each([&](const Connection& connection) {
        const Rank rank = rank_of(connection);
        if (rank == kInUse) return;
        reclaimer_.offer({connection.client_key(), connection.id, 1, now_ms - connection.active_ms, rank});
    });
    const size_t most_left = std::max(kMostAtOnce, to_.table.size() / kPartLeft);
    size_t count = 0;
    while (count < most_left) {
        const auto id = reclaimer_.next(count < kMostAtOnce ? kStuck : kLeft);
        if (!id) break;
        ++count;
        if (std::has_single_bit(++closed_)) {
            SLUICE_WARNING(
                "closed a connection that was idle or that its client had left, so that others can come: "
                "there are %zu (connections: %zu); %llu closed so far",
                to_.table.clients(), size_t{to_.commons.limits.connections},
                static_cast<unsigned long long>(closed_));
        }
        if (Connection* connection = to_.table.find(*id)) to_.life.abort(*connection);
    }
    reclaimer_.clear();
    looked_for_connections_ms_ = count ? 0 : now_ms;
    return count;
}

/// For how long the client has been behind the least rate.
uint64_t Reclaiming::behind_ms(const Connection& connection) const {
    const uint64_t latest_ms = to_.commons.now_ms + to_.commons.sending(connection.endpoint).write_ms;
    return latest_ms - std::min(latest_ms, connection.write_deadline_ms);
}

/// Offers who has taken nothing for `patience_ms`. Returns what waits for all that are stuck.
uint64_t Reclaiming::find_slow_readers(uint64_t patience_ms) {
    uint64_t stuck_bytes = 0;
    to_.table.for_each([&](const Connection& connection) {
        if (!connection.write_deadline_ms || connection.phase >= Phase::kLingering) return;
        const uint64_t bytes = connection.held_bytes();
        const uint64_t behind = behind_ms(connection);
        stuck_bytes += bytes;
        if (bytes == 0 || behind < patience_ms) return;
        const uint64_t weight = bytes * (kFreshMs + behind);
        reclaimer_.offer({connection.client_key(), connection.id, weight, weight});
    });
    return stuck_bytes;
}

void Reclaiming::free_memory() {
    OutBudget& budget = to_.commons.out_budget;
    const bool is_overrun = budget.is_overrun();
    if (!is_overrun && !budget.is_wanted()) return;
    if (!budget.is_full()) {
        budget.satisfied();
        return;
    }
    if (to_.commons.now_ms < looked_for_memory_ms_ + kPauseMs) return;
    looked_for_memory_ms_ = to_.commons.now_ms;
    const uint64_t stuck_bytes = find_slow_readers(is_overrun ? kOverrunPatienceMs : kPatienceMs);
    // One client may have a response that is longer than all limits, as long as nobody else wants anything.
    const bool is_alone = reclaimer_.size() == 1 && !budget.is_wanted();
    // Below half of its share this reactor leaves it to others, whose clients hold more.
    if (stuck_bytes >= budget.share_bytes() / 2 && !is_alone) {
        while (!budget.is_relieved()) {
            const auto id = reclaimer_.next();
            if (!id) break;
            if (Connection* connection = to_.table.find(*id)) cut_off(*connection);
        }
    }
    reclaimer_.clear();
}

void Reclaiming::cut_off(Connection& connection) {
    if (std::has_single_bit(++cut_)) {
        SLUICE_WARNING(
            "cut off a client that does not read, so that others can be served: %zu bytes are held for it, "
            "and %zu for all (queuedTotalBytes: %llu); %llu cut off so far",
            connection.held_bytes(), OutMemory::total(),
            static_cast<unsigned long long>(to_.commons.limits.queued_total_bytes),
            static_cast<unsigned long long>(cut_));
    }
    to_.life.abort(connection);
}

}  // namespace sluice
