#include "server/sessions/message_room.h"

#include <algorithm>
#include <cstring>

namespace sluice {

namespace {
/// Room is kAhead times as long as the bytes that have come, and for the whole message once kWholeAhead times
/// would cover it. Smaller factors would move the message more often, bigger ones would let a client hold
/// much memory by few bytes. Moves copy at most a seventh of a message in total.
constexpr size_t kAhead = 8;
constexpr size_t kWholeAhead = 64;
constexpr size_t kFirstBytes = 1024;
/// The first room for a client that sends long messages one after the other: saves a system call for each.
constexpr size_t kFirstLongBytes = 65536;

size_t next_bytes(const MessageRoom::Wish& wish) {
    const size_t arrived = wish.filled_bytes + wish.arrived_bytes;
    if (kWholeAhead * arrived >= wish.whole_bytes) return wish.whole_bytes;
    const size_t first = wish.was_long ? kFirstLongBytes : kFirstBytes;
    return std::min(wish.whole_bytes, std::max(first, kAhead * arrived));
}
}  // namespace

bool MessageRoom::grow(Transport& transport, const Wish& wish) {
    const size_t bytes = next_bytes(wish);
    if (bytes >= kExtentThreshold) {
        // Take the whole when there is no more room for parts: otherwise many incomplete messages could wait
        // for each other.
        return put_in_extent(transport, bytes, wish) ||
               (bytes < wish.whole_bytes && put_in_extent(transport, wish.whole_bytes, wish));
    }
    std::unique_ptr<char[]> heap(new char[bytes]);
    move_to(transport, {heap.get(), bytes}, wish.filled_bytes);
    heap_ = std::move(heap);
    return true;
}

bool MessageRoom::put_in_extent(Transport& transport, size_t bytes, const Wish& wish) {
    const bool is_whole = bytes == wish.whole_bytes;
    if (room_ && !heap_ && transport.extend(room_, bytes, is_whole)) return true;
    const Room bigger = transport.allocate(bytes, {wish.client, is_whole});
    if (!bigger) return false;
    move_to(transport, bigger, wish.filled_bytes);
    return true;
}

void MessageRoom::move_to(Transport& transport, Room bigger, size_t filled_bytes) {
    if (filled_bytes) memcpy(bigger.data, room_.data, filled_bytes);
    reset(transport);
    room_ = bigger;
}

}  // namespace sluice
