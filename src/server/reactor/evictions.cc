#include "server/reactor/evictions.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "core/log.h"
#include "server/config/limits.h"
#include "server/reactor/commons.h"
#include "server/reactor/connection.h"
#include "server/reactor/connection_life.h"
#include "server/reactor/connection_table.h"

namespace sluice {

Evictions::Rank Evictions::rank_of(const Connection& connection) const {
    if (connection.is_stream || connection.phase == Phase::kGone) return Rank::kInUse;
    if (connection.phase == Phase::kLingering) return Rank::kLeft;
    if (connection.phase != Phase::kOpen || connection.session->is_conversation()) return Rank::kInUse;
    const bool is_begun = connection.session->owed_response().worker != kNoWorker || !connection.out.empty();
    if (connection.peer_shut) return is_begun ? Rank::kStuck : Rank::kLeft;
    const bool is_idle = !is_begun && !connection.blocked && !connection.waiting && !connection.scheduled &&
                         connection.active_ms + kIdleMs <= to_.commons.now_ms;
    return is_idle ? Rank::kIdle : Rank::kInUse;
}

void Evictions::find_candidates() {
    to_.table.for_each([this](Connection& connection) {
        const Rank rank = rank_of(connection);
        if (rank == Rank::kInUse) return;
        if (rank == Rank::kIdle) ++counts_[connection.address_key];
        candidates_.push_back({rank, 0, connection.active_ms, connection.id});
    });
    for (Candidate& candidate : candidates_) {
        if (candidate.rank != Rank::kIdle) continue;
        candidate.of_address = counts_[to_.table.find(candidate.id)->address_key];
    }
    counts_.clear();
}

size_t Evictions::make_room() {
    if (looked_ms_ && to_.commons.now_ms < looked_ms_ + kPauseMs) return 0;
    find_candidates();
    const size_t most = std::max(kMostAtOnce, to_.table.size() / kPartLeft);
    size_t count = std::min(candidates_.size(), most);
    const auto goes_first = [](const Candidate& one, const Candidate& other) {
        return std::tuple(one.rank, other.of_address, one.active_ms) <
               std::tuple(other.rank, one.of_address, other.active_ms);
    };
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<ptrdiff_t>(count),
                      candidates_.end(), goes_first);
    while (count > kMostAtOnce && candidates_[count - 1].rank != Rank::kLeft)
        --count;
    candidates_.resize(count);
    for (const Candidate& candidate : candidates_) {
        if (std::has_single_bit(++closed_)) {
            SLUICE_WARNING(
                "closed a connection that was idle or that its client had left, so that others can come: "
                "there are %zu (connections: %zu); %llu closed so far",
                to_.table.clients(), size_t{to_.commons.limits.connections},
                static_cast<unsigned long long>(closed_));
        }
        to_.life.abort(*to_.table.find(candidate.id));
    }
    looked_ms_ = count ? 0 : to_.commons.now_ms;
    candidates_.clear();
    return count;
}

}  // namespace sluice
