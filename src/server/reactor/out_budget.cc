#include "server/reactor/out_budget.h"

#include <algorithm>
#include <bit>

#include "core/log.h"
#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/seam/message_share.h"
#include "server/seam/messages.h"
#include "server/seam/out_memory.h"
#include "server/seam/reactor_figures.h"

namespace sluice {

namespace {
/// Workers refuse a send by the queue's length as they see it, without the frame headers of messages on their
/// way. This much above the limit keeps what workers have promised.
constexpr size_t kQueueSlackBytes = 65536;
/// One part in so many is added to the total as a reserve, for clients that have taken everything while
/// others hold the total. As much is freed at a time.
constexpr uint64_t kReservePart = 8;
}  // namespace

void OutBudget::set_charge(Connection& connection, size_t held) {
    waiting_.charge(connection.client_key(), held);
    waiting_.give_back(connection.client_key(), connection.charged_bytes);
    connection.charged_bytes = held;
}

/// What may wait in this process.
uint64_t OutBudget::most_bytes() const {
    return limits_.queued_total_bytes / shape_.processes();
}

/// Half is open to messages, so that requests still begin where messages have taken that. Half of the reserve
/// keeps what workers have promised before they saw that the memory is full.
ShareRule OutBudget::messages() const {
    const uint64_t most = most_bytes();
    return {.most = most + most / (2 * kReservePart), .open = message_share(most), .part = ShareRule::kHalf};
}

/// All is open to requests, and the reserve is shared.
ShareRule OutBudget::requests() const {
    const uint64_t most = most_bytes();
    return {.most = most + most / kReservePart, .open = most, .part = ShareRule::kHalf};
}

bool OutBudget::is_full() const {
    return OutMemory::total() > most_bytes();
}

bool OutBudget::is_overrun() const {
    return OutMemory::total() > requests().most;
}

bool OutBudget::is_relieved() const {
    return OutMemory::total() <= most_bytes() - most_bytes() / kReservePart;
}

void OutBudget::measure() {
    per_response_ = std::min((per_response_ + kept_bytes_ / kResponses) / 2, most_bytes() / kMostAwaited);
    responses_ = 0;
    kept_bytes_ = 0;
}

/// What responses that are awaited will leave here.
uint64_t OutBudget::expected_bytes() const {
    return per_response_ * std::min<uint64_t>(awaited_, kMostAwaited);
}

bool OutBudget::may_begin(const Connection& client) {
    if (OutMemory::total() + expected_bytes() <= most_bytes()) return true;
    wanted_ = true;
    return client.known && client.out.empty() && !is_overrun() &&
           held_with(client) <= requests().share(std::max<uint64_t>(OutMemory::total(), most_bytes() + 1));
}

uint64_t OutBudget::share_bytes() const {
    return limits_.queued_total_bytes / shape_.serving();
}

uint64_t OutBudget::most_queued(const Connection& connection) const {
    return (*endpoints_)[connection.endpoint].spec.sending().queued_bytes;
}

/// What is held for all connections of the client. Others of them may hold more by now, which is charged when
/// the turn ends.
uint64_t OutBudget::held_with(const Connection& connection) const {
    return waiting_.used_by(connection.client_key()) - connection.charged_bytes + connection.held_bytes();
}

bool OutBudget::has_room(const Connection& connection, size_t bytes) {
    const bool alone = connection.out.empty();
    // A message that is alone in the queue may be longer than the limit, or it could never be sent.
    if (!alone && connection.out.bytes() + bytes > most_queued(connection) + kQueueSlackBytes) return false;
    // Workers see what waits without the messages in their rings. These messages are promised, and take up to
    // twice their room in the blocks of a queue.
    const uint64_t promised = 2 * shape_.ring_bytes * std::max<uint64_t>(1, shape_.first_service_slot() / 2);
    // Extents count, too: a flood that stands in them will be in the heap in a moment, and must not push out
    // what others are sent then.
    if (OutMemory::total_with_extents() <= messages().open + promised) return true;
    // When others fill the memory, a client that reads still gets small messages, and each its share.
    if (alone && bytes <= kSmallWhenFullBytes) return true;
    if (is_over_share(connection)) return false;
    if (OutMemory::total() + bytes > most_bytes()) wanted_ = true;
    // The reserve is for those who have taken everything. Half of it keeps what workers have promised before
    // they saw that the memory is full.
    return alone ? !is_overrun() : OutMemory::total() <= messages().most;
}

bool OutBudget::may_queue(const Connection& connection, size_t bytes) {
    if (has_room(connection, bytes)) return true;
    count_dropped(connection, bytes);
    return false;
}

void OutBudget::count_dropped(const Connection& connection, size_t bytes) {
    HistogramCell::add(figures_.messages_dropped, 1);
    // Logged the first, second, fourth, eighth … time, so that the log does not become the next problem.
    if (!std::has_single_bit(++dropped_)) return;
    if (is_over_share(connection)) {
        SLUICE_WARNING(
            "dropped a message of %zu bytes: clients of its address that do not read hold %llu bytes, more "
            "than their share of %llu, and %zu bytes wait for all (queuedTotalBytes: %llu); %llu dropped so "
            "far",
            bytes, static_cast<unsigned long long>(held_with(connection)),
            static_cast<unsigned long long>(share_of_one()), OutMemory::total(),
            static_cast<unsigned long long>(limits_.queued_total_bytes),
            static_cast<unsigned long long>(dropped_));
    } else {
        SLUICE_WARNING(
            "dropped a message of %zu bytes: its client does not read, %zu bytes wait for it "
            "(queuedBytes: %llu) and %zu for all (queuedTotalBytes: %llu); %llu dropped so far",
            bytes, connection.queued_bytes(), static_cast<unsigned long long>(most_queued(connection)),
            OutMemory::total(), static_cast<unsigned long long>(limits_.queued_total_bytes),
            static_cast<unsigned long long>(dropped_));
    }
}

}  // namespace sluice
