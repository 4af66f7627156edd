#pragma once

#include <cstring>
#include <memory>

#include "base/room.h"
#include "server/seam/transport.h"

namespace sluice {

/// The memory that one connection's unfinished message stands in: of the heap while it is small (it will
/// travel inside the ring), of the transport from kSlotThreshold on.
class MessageRoom {
  public:
    MessageRoom() = default;
    MessageRoom(const MessageRoom&) = delete;
    MessageRoom& operator=(const MessageRoom&) = delete;
    /// reset() must have been called: only the owner knows the transport.
    ~MessageRoom() = default;

    /// Makes it at least `bytes` long, keeping the first `keep_bytes`. False when memory is short: it is as
    /// before.
    bool grow(Transport& transport, size_t bytes, size_t keep_bytes) {
        Room bigger;
        std::unique_ptr<char[]> heap;
        if (bytes < kSlotThreshold) {
            heap.reset(new char[bytes]);
            bigger = {heap.get(), bytes};
        } else {
            bigger = transport.allocate(bytes);
            if (!bigger) return false;
        }
        if (keep_bytes) memcpy(bigger.data, room_.data, keep_bytes);
        reset(transport);
        room_ = bigger;
        heap_ = std::move(heap);
        return true;
    }
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
    Room room_;
    std::unique_ptr<char[]> heap_;
};

}  // namespace sluice
