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

namespace sluice {

namespace {
/// Workers refuse a send by what they see of the queue, which is without the frame headers of what is on its
/// way. What they have promised is kept.
constexpr size_t kQueueSlackBytes = 65536;
/// This part of the total comes on top of it for those who have taken everything, when others hold all of it;
/// and as much is freed at a time.
constexpr uint64_t kReservePart = 8;
}  // namespace

void OutBudget::set_charge(Connection& connection, size_t held) {
    shares_.set(connection.id, connection.address_key, held);
    connection.charged = held != 0;
}

/// Of this process.
uint64_t OutBudget::most_bytes() const {
    return limits_.queued_total_bytes / shape_.processes();
}

/// Of it, what messages may take before shares count.
uint64_t OutBudget::message_bytes() const {
    return message_share(most_bytes());
}

bool OutBudget::is_full() const {
    return OutMemory::total() > most_bytes();
}

bool OutBudget::is_overrun() const {
    return OutMemory::total() > most_bytes() + most_bytes() / kReservePart;
}

bool OutBudget::is_relieved() const {
    return OutMemory::total() <= most_bytes() - most_bytes() / kReservePart;
}

bool OutBudget::may_begin(const Connection& client) {
    if (!is_full()) return true;
    wanted_ = true;
    return client.out.empty() && !is_overrun() && held_with(client) <= shares_.fair_part(share_bytes());
}

uint64_t OutBudget::share_bytes() const {
    return limits_.queued_total_bytes / shape_.serving();
}

uint64_t OutBudget::fair_bytes() const {
    return shares_.fair_part(message_share(share_bytes()));
}

uint64_t OutBudget::most_queued(const Connection& connection) const {
    return (*endpoints_)[connection.endpoint].spec.sending().queued_bytes;
}

/// What is held for all clients of its address; for nobody but the client when the address is not known.
uint64_t OutBudget::held_with(const Connection& connection) const {
    const size_t held = connection.held_bytes();
    if (connection.address_key == 0) return held;
    // Others of the address may hold more by now: that is charged when the turn ends.
    return shares_.held_by(connection.address_key) - shares_.held_by_client(connection.id) + held;
}

bool OutBudget::has_room(const Connection& connection, size_t bytes) {
    const bool alone = connection.out.empty();
    // A message that is alone in the queue may be longer than the limit, or it could never be sent.
    if (!alone && connection.out.bytes() + bytes > most_queued(connection) + kQueueSlackBytes) return false;
    // Workers look at the total as it is without what stands in their rings: that is promised, and in the
    // blocks of a queue it takes up to twice the room.
    const uint64_t promised = 2 * shape_.ring_bytes * std::max<uint64_t>(1, shape_.first_service_slot() / 2);
    const uint64_t total = OutMemory::total();
    if (total <= message_bytes() + promised) return true;
    // When others fill the memory, a client that reads still gets what is small, and what its address has a
    // right to.
    if (alone && bytes <= kSmallWhenFullBytes) return true;
    if (held_with(connection) > fair_bytes()) return false;
    if (total + bytes > most_bytes()) wanted_ = true;
    return !is_overrun();
}

bool OutBudget::may_queue(const Connection& connection, size_t bytes) {
    if (has_room(connection, bytes)) return true;
    count_dropped(connection, bytes);
    return false;
}

void OutBudget::count_dropped(const Connection& connection, size_t bytes) {
    // Said the first, second, fourth, eighth … time, so that the log does not become the next problem.
    if (!std::has_single_bit(++dropped_)) return;
    if (is_over_part(connection)) {
        SLUICE_WARNING(
            "dropped a message of %zu bytes: clients of its address that do not read hold %llu bytes, more "
            "than their part of %llu, and %zu bytes wait for all (queuedTotalBytes: %llu); %llu dropped so "
            "far",
            bytes, static_cast<unsigned long long>(held_with(connection)),
            static_cast<unsigned long long>(fair_bytes()), OutMemory::total(),
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
