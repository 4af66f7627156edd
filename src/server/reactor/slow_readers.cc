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
/// Added to every client's lateness, so that what is held counts from the beginning.
constexpr uint64_t kFreshMs = 100;
}  // namespace

/// For how long the client has been behind the least rate.
uint64_t SlowReaders::behind_ms(const Connection& connection) const {
    const uint64_t latest_ms = to_.commons.now_ms + to_.commons.sending(connection.endpoint).write_ms;
    return latest_ms - std::min(latest_ms, connection.write_deadline_ms);
}

/// Finds who has taken nothing for `patience_ms`, by address. Returns what waits for all that are stuck.
uint64_t SlowReaders::find_holders(uint64_t patience_ms) {
    uint64_t stuck_bytes = 0;
    to_.table.for_each([&](Connection& connection) {
        if (!connection.write_deadline_ms || connection.phase >= Phase::kLingering) return;
        const uint64_t bytes = connection.held_bytes();
        const uint64_t behind = behind_ms(connection);
        stuck_bytes += bytes;
        if (bytes == 0 || behind < patience_ms) return;
        // A client whose address nobody knows counts as an address.
        const uint64_t key = connection.address_key ? connection.address_key : connection.id;
        const auto [place, is_new] = places_.try_emplace(key, holders_.size());
        if (is_new) holders_.emplace_back();
        Holder& holder = holders_[place->second];
        const uint64_t weight = bytes * (kFreshMs + behind);
        holder.weight += weight;
        holder.candidates.push_back({weight, connection.id});
    });
    places_.clear();
    return stuck_bytes;
}

void SlowReaders::cut_off() {
    const bool is_overrun = to_.commons.out_budget.is_overrun();
    if (!is_overrun && !to_.commons.out_budget.is_wanted()) return;
    if (!to_.commons.out_budget.is_full()) {
        to_.commons.out_budget.satisfied();
        return;
    }
    if (to_.commons.now_ms < looked_ms_ + kPauseMs) return;
    looked_ms_ = to_.commons.now_ms;
    const uint64_t stuck_bytes = find_holders(is_overrun ? kOverrunPatienceMs : kPatienceMs);
    // Below half of its share this reactor leaves it to others, whose clients hold more.
    if (stuck_bytes >= to_.commons.out_budget.share_bytes() / 2) cut_off_heaviest();
    holders_.clear();
}

void SlowReaders::cut_off_heaviest() {
    // One client may have a response that is longer than all limits, as long as nobody else wants anything.
    const bool is_alone = holders_.size() == 1 && holders_.front().candidates.size() == 1;
    if (is_alone && !to_.commons.out_budget.is_wanted()) return;
    for (Holder& holder : holders_)
        std::make_heap(holder.candidates.begin(), holder.candidates.end());
    std::make_heap(holders_.begin(), holders_.end());
    while (!holders_.empty() && !to_.commons.out_budget.is_relieved()) {
        std::pop_heap(holders_.begin(), holders_.end());
        Holder& holder = holders_.back();
        std::pop_heap(holder.candidates.begin(), holder.candidates.end());
        if (Connection* connection = to_.table.find(holder.candidates.back().id)) cut_off(*connection);
        holder.weight -= holder.candidates.back().weight;
        holder.candidates.pop_back();
        if (holder.candidates.empty()) {
            holders_.pop_back();
        } else {
            std::push_heap(holders_.begin(), holders_.end());
        }
    }
}

void SlowReaders::cut_off(Connection& connection) {
    if (std::has_single_bit(++cut_)) {
        SLUICE_WARNING(
            "cut off a client that does not read, so that others can be served: %zu bytes are held for it, "
            "and "
            "%zu "
            "for all (queuedTotalBytes: %llu); %llu cut off so far",
            connection.held_bytes(), OutMemory::total(),
            static_cast<unsigned long long>(to_.commons.limits.queued_total_bytes),
            static_cast<unsigned long long>(cut_));
    }
    to_.life.abort(connection);
}

}  // namespace sluice
