#pragma once

#include <memory>

#include "core/room.h"
#include "server/seam/transport.h"

namespace sluice {

/// The memory of one connection's unfinished message: on the heap while it is small (it will travel inside
/// the ring), the transport's from kExtentThreshold on. It grows with the bytes that have come; an announced
/// length alone gets nothing.
class MessageRoom {
  public:
    /// A message's need of memory, as far as it is known.
    struct Wish {
        uint64_t client;           ///< who is charged; see ArenaClaim
        size_t whole_bytes;        ///< of the whole message
        size_t filled_bytes = 0;   ///< bytes in the room, which are kept
        size_t arrived_bytes = 0;  ///< further bytes that have come and wait for room
        bool was_long = false;     ///< this client has just sent a complete long message
    };

    MessageRoom() = default;
    MessageRoom(const MessageRoom&) = delete;
    MessageRoom& operator=(const MessageRoom&) = delete;
    /// reset() must have been called: only the owner knows the transport.
    ~MessageRoom() = default;

    /// Extends the room for the bytes that have come, and for a multiple of them that may follow. False, and
    /// nothing is changed, when memory is short or the client has its share.
    bool grow(Transport& transport, const Wish& wish);
    Room room() const { return room_; }
    /// The room, if it can be delivered as it is; empty when it is on the heap and must be copied.
    Room deliverable() const { return heap_ ? Room{} : room_; }
    /// The bytes that are the transport's.
    size_t extent_bytes() const { return heap_ ? 0 : room_.size; }
    /// The room has been delivered.
    void forget() { room_ = {}; }
    void reset(Transport& transport) {
        if (room_ && !heap_) transport.free(room_);
        heap_.reset();
        room_ = {};
    }

  private:
    bool put_in_extent(Transport& transport, size_t bytes, const Wish& wish);
    void move_to(Transport& transport, Room bigger, size_t filled_bytes);

    Room room_;
    std::unique_ptr<char[]> heap_;
};

}  // namespace sluice
