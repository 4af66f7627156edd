#pragma once

#include <memory>

#include "core/room.h"
#include "server/seam/transport.h"

namespace sluice {

/// The memory that one connection's unfinished message stands in: of the heap while it is small (it will
/// travel inside the ring), of the transport from kExtentThreshold on. It grows with the bytes that have
/// come; what a client announces is worth nothing.
class MessageRoom {
  public:
    /// What a message takes, as far as it is known.
    struct Wish {
        ArenaAccount* account;     ///< of whose share it is
        size_t whole_bytes;        ///< in all
        size_t filled_bytes = 0;   ///< stand in the room, and are kept
        size_t arrived_bytes = 0;  ///< besides these, have come and wait for room
        bool was_long = false;     ///< this client has just sent a long message, and all of it
    };

    MessageRoom() = default;
    MessageRoom(const MessageRoom&) = delete;
    MessageRoom& operator=(const MessageRoom&) = delete;
    /// reset() must have been called: only the owner knows the transport.
    ~MessageRoom() = default;

    /// Makes it longer: long enough for what has come, and for a multiple of it that may follow. False when
    /// memory is short, or the client has its share: it is as before.
    bool grow(Transport& transport, const Wish& wish);
    Room room() const { return room_; }
    /// What may be delivered as it stands; empty when it is of the heap and has to be copied.
    Room deliverable() const { return heap_ ? Room{} : room_; }
    /// It has been delivered.
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
