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
/// This part of the total is for those who have taken everything, when others hold all of it; and as much is
/// freed at a time.
constexpr uint64_t kReservePart = 8;
}  // namespace

bool OutBudget::is_full() const {
    return OutMemory::total() > limits_.queued_total_bytes / shape_.processes();
}

bool OutBudget::may_begin(const Connection& client, uint64_t now_ms) {
    const uint64_t most = limits_.queued_total_bytes / shape_.processes();
    const uint64_t total = OutMemory::total();
    if (total <= most) return true;
    if (!wanted_since_ms_) wanted_since_ms_ = now_ms;
    return client.out.empty() && total <= most + most / kReservePart;
}

bool OutBudget::is_relieved() const {
    const uint64_t most = limits_.queued_total_bytes / shape_.processes();
    return OutMemory::total() <= most - most / kReservePart;
}

uint64_t OutBudget::share_bytes() const {
    return limits_.queued_total_bytes / shape_.serving();
}

uint64_t OutBudget::most_queued(const Connection& connection) const {
    return (*endpoints_)[connection.endpoint].spec.sending().queued_bytes;
}

bool OutBudget::has_room(const Connection& connection, size_t bytes) const {
    const bool alone = connection.out.empty();
    // Workers look at the total as it is without what stands in their rings: that is promised, and in the
    // blocks of a queue it takes up to twice the room.
    const uint64_t promised = 2 * shape_.ring_bytes * std::max<uint64_t>(1, shape_.first_service_slot() / 2);
    const bool is_full =
        OutMemory::total() > message_share(limits_.queued_total_bytes) / shape_.processes() + promised;
    // A message that is alone in the queue may be longer than the limit, or it could never be sent; and when
    // others fill the memory, a client that reads still gets what is small.
    const bool fits = alone || connection.out.bytes() + bytes <= most_queued(connection) + kQueueSlackBytes;
    return fits && (!is_full || (alone && bytes <= kSmallWhenFullBytes));
}

bool OutBudget::may_queue(const Connection& connection, size_t bytes) {
    if (has_room(connection, bytes)) return true;
    count_dropped(connection, bytes);
    return false;
}

void OutBudget::count_dropped(const Connection& connection, size_t bytes) {
    // Said the first, second, fourth, eighth … time, so that the log does not become the next problem.
    if (std::has_single_bit(++dropped_)) {
        SLUICE_WARNING(
            "dropped a message of %zu bytes: its client does not read, %zu bytes wait for it "
            "(queuedBytes: %llu) and %zu for all (queuedTotalBytes: %llu); %llu dropped so far",
            bytes, connection.queued_bytes(), static_cast<unsigned long long>(most_queued(connection)),
            OutMemory::total(), static_cast<unsigned long long>(limits_.queued_total_bytes),
            static_cast<unsigned long long>(dropped_));
    }
}

}  // namespace sluice
