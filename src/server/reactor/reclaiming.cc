#include "server/reactor/reclaiming.h"

#include <algorithm>
#include <bit>

#include "core/log.h"
#include "server/config/limits.h"
#include "server/reactor/admission.h"
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

/// What each client holds for unfinished messages. True when these are most of what is used: the rest is the
/// workers', and is given back when they have handled it.
bool Reclaiming::find_unfinished() {
    const uint64_t now_us = to_.commons.now_ms * 1000;
    uint64_t all = 0;
    to_.table.for_each([&](const Connection& connection) {
        if (connection.phase != Phase::kOpen) return;
        const size_t bytes = connection.session->unfinished_bytes();
        const uint64_t since_us = to_.admission.waits_since_us(connection, Resource::kArena);
        if (bytes == 0 && since_us == 0) return;
        Unfinished& of_client = unfinished_[connection.client_key()];
        all += bytes;
        of_client.bytes += bytes;
        of_client.messages += bytes != 0;
        of_client.has_waited |= since_us && since_us + kArenaPatienceMs * 1000 <= now_us;
        of_client.may_finish |= since_us == 0;
    });
    return all >= to_.commons.transport.used_bytes() / 2;
}

void Reclaiming::free_arena() {
    const uint64_t since_us = to_.admission.oldest_us(Resource::kArena);
    const uint64_t now_ms = to_.commons.now_ms;
    if (since_us == 0 || now_ms < since_us / 1000 + kArenaPatienceMs) return;
    if (now_ms < looked_for_arena_ms_ + kPauseMs) return;
    looked_for_arena_ms_ = now_ms;
    if (find_unfinished()) {
        offer_unfinished();
        const auto id = reclaimer_.next();
        if (Connection* connection = id ? to_.table.find(*id) : nullptr) give_up_unfinished(*connection);
        reclaimer_.clear();
    }
    unfinished_.clear();
}

/// Offers the messages of those who hold much more than somebody who waits, and of those whose messages wait
/// for each other, or for others that do the same.
void Reclaiming::offer_unfinished() {
    uint64_t least = UINT64_MAX;
    bool may_finish = false;
    for (const auto& [client, of_client] : unfinished_) {
        if (of_client.has_waited) least = std::min(least, std::max<uint64_t>(of_client.bytes, 1));
        may_finish |= of_client.may_finish;
    }
    to_.table.for_each([&](const Connection& connection) {
        if (connection.phase != Phase::kOpen) return;
        const size_t bytes = connection.session->unfinished_bytes();
        if (bytes == 0) return;
        const Unfinished& of_client = unfinished_.find(connection.client_key())->second;
        const bool is_stuck =
            of_client.has_waited && !of_client.may_finish && (of_client.messages > 1 || !may_finish);
        if (of_client.bytes / kMuchMore < least && !is_stuck) return;
        const uint64_t weight = connection.peer_shut ? UINT64_MAX : bytes;
        reclaimer_.offer({connection.client_key(), connection.id, bytes, weight});
    });
}

void Reclaiming::give_up_unfinished(Connection& connection) {
    if (std::has_single_bit(++given_up_)) {
        SLUICE_WARNING(
            "gave up a message of which not all had come, so that others have room: %zu bytes were set aside "
            "for it, and %zu are used by all messages (arenaBytes: %llu); %llu given up so far",
            connection.session->unfinished_bytes(), to_.commons.transport.used_bytes(),
            static_cast<unsigned long long>(to_.commons.limits.arena_bytes),
            static_cast<unsigned long long>(given_up_));
    }
    connection.session->give_up_unfinished(to_.host, connection);
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
