#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace sluice {

/// The shared part of a single-producer single-consumer ring of variable-length records. Positions count
/// bytes since the ring was made and never wrap; `position & (capacity - 1)` is the place in the data.
struct RingHeader {
    alignas(64) std::atomic<uint64_t> produced;  ///< written by the producer
    alignas(
        64) std::atomic<uint64_t> consumed;  ///< written by the consumer: records before it are free again
    std::atomic<uint64_t> taken;             ///< written by the consumer: it has begun records before it
    alignas(64) std::atomic<uint64_t> complete;  ///< written by the producer: records before it are whole
    std::atomic<uint64_t>
        room_at;  ///< set by the producer: it wants to know when `taken` is there; 0: it does not
};

/// The header of each record. A record is contiguous and aligned to kRecordAlign.
struct RecordHeader {
    uint32_t size;  ///< with this header, before rounding up
    uint16_t kind;  ///< 0: padding up to the end of the data; others are the user's
    uint16_t flags;
};

inline constexpr size_t kRecordAlign = 8;

constexpr size_t round_record(size_t size) {
    return (size + kRecordAlign - 1) & ~(kRecordAlign - 1);
}

/// The producer's end. Its state is private: a consumer that scribbles over the shared part can delay it or
/// misstate the free room, but never make it write outside the data.
class RingProducer {
  public:
    RingProducer() = default;
    RingProducer(RingHeader* header, char* data, size_t capacity);

    /// Contiguous room for a record of `size` bytes, or nullptr when the ring is too full. Not visible before
    /// commit(). The caller writes a RecordHeader with that size first.
    char* reserve(size_t size);
    /// Whether reserve(size) would succeed.
    bool has_room(size_t size);
    /// The record is written: should the producer die before commit(), the consumer still gets it.
    void complete() { header_->complete.store(position_, std::memory_order_release); }
    void commit() { header_->produced.store(position_, std::memory_order_release); }
    bool has_uncommitted() const { return header_->produced.load(std::memory_order_relaxed) != position_; }
    /// Where the next record will begin, before padding.
    uint64_t position() const { return position_; }
    uint64_t consumed() const { return header_->consumed.load(std::memory_order_acquire); }
    uint64_t taken() const { return header_->taken.load(std::memory_order_acquire); }
    /// Asks the consumer to ring (RingConsumer::must_ring) once it has taken the records before `position`. A
    /// consumer that has done so already does not: look at taken() after a sequentially consistent fence.
    void await_taken(uint64_t position) { header_->room_at.store(position, std::memory_order_relaxed); }
    /// The consumer has written impossible positions.
    bool corrupt() const { return corrupt_; }
    size_t capacity() const { return mask_ + 1; }
    const char* at(uint64_t position) const { return data_ + (position & mask_); }

  private:
    size_t padding_for(size_t size) const;

    RingHeader* header_ = nullptr;
    char* data_ = nullptr;
    size_t mask_ = 0;
    uint64_t position_ = 0;
    uint64_t seen_consumed_ = 0;
    bool corrupt_ = false;
};

/// The consumer's end. The producer may be untrusted: sizes are checked against what has been produced and
/// against the capacity before a record is handed out, and a header is read only once.
class RingConsumer {
  public:
    RingConsumer() = default;
    RingConsumer(RingHeader* header, char* data, size_t capacity);

    /// Takes the next record, header included; empty when there is none. `kind` and the span's size come from
    /// one read of the header: do not read the header's bytes again. The record stays in place until
    /// free_until() passes it.
    std::span<char> take(uint16_t& kind);
    bool empty() const { return header_->produced.load(std::memory_order_acquire) == position_; }
    /// The end of what has been taken.
    uint64_t position() const { return position_; }
    /// Tells the producer which records the consumer has begun to handle.
    void publish_taken() { header_->taken.store(position_, std::memory_order_release); }
    /// Whether the producer is to be told that records have been taken; true once for each time that it asks.
    /// Certain after a sequentially consistent fence.
    bool must_ring() {
        uint64_t room_at = header_->room_at.load(std::memory_order_relaxed);
        if (room_at == 0 || room_at > position_) return false;
        return header_->room_at.compare_exchange_strong(room_at, 0, std::memory_order_relaxed);
    }
    /// Gives the space before `position` back to the producer.
    void free_until(uint64_t position) { header_->consumed.store(position, std::memory_order_release); }
    /// The producer has died: publishes what it has marked by complete() and not committed.
    void commit_for_producer();
    /// The producer has written an invalid record or position; take() returns nothing any more.
    bool corrupt() const { return corrupt_; }

  private:
    RingHeader* header_ = nullptr;
    char* data_ = nullptr;
    size_t mask_ = 0;
    uint64_t position_ = 0;
    bool corrupt_ = false;
};

}  // namespace sluice
