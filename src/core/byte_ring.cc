#include "core/byte_ring.h"

#include <cassert>
#include <cstring>

namespace sluice {

namespace {
/// The position that a producer or consumer starts from. A hostile peer may have stored any value in the
/// shared part: a misaligned one could put a header beyond the end of the data.
uint64_t place_for_records(const std::atomic<uint64_t>& position) {
    return position.load(std::memory_order_relaxed) & ~uint64_t{kRecordAlign - 1};
}
}  // namespace

RingProducer::RingProducer(RingHeader* header, char* data, size_t capacity)
    : header_(header), data_(data), mask_(capacity - 1) {
    assert((capacity & mask_) == 0 && "a ring's capacity is a power of two");
    position_ = place_for_records(header->produced);
    seen_consumed_ = header->consumed.load(std::memory_order_relaxed);
}

size_t RingProducer::padding_for(size_t size) const {
    size_t until_end = capacity() - (position_ & mask_);
    return size <= until_end ? 0 : until_end;
}

bool RingProducer::has_room(size_t size) {
    if (corrupt_ || size > capacity()) return false;
    size_t wanted = round_record(size);
    wanted += padding_for(wanted);
    if (position_ + wanted - seen_consumed_ <= capacity()) return true;
    uint64_t consumed = header_->consumed.load(std::memory_order_acquire);
    if (consumed > position_ || consumed < seen_consumed_) {
        corrupt_ = true;
        return false;
    }
    seen_consumed_ = consumed;
    return position_ + wanted - seen_consumed_ <= capacity();
}

char* RingProducer::reserve(size_t size) {
    if (!has_room(size)) return nullptr;
    size_t wanted = round_record(size);
    if (size_t padding = padding_for(wanted)) {
        RecordHeader pad{static_cast<uint32_t>(padding), 0, 0};
        memcpy(data_ + (position_ & mask_), &pad, sizeof pad);
        position_ += padding;
    }
    char* place = data_ + (position_ & mask_);
    position_ += wanted;
    return place;
}

RingConsumer::RingConsumer(RingHeader* header, char* data, size_t capacity)
    : header_(header), data_(data), mask_(capacity - 1) {
    position_ = place_for_records(header->consumed);
}

void RingConsumer::commit_for_producer() {
    const uint64_t complete = header_->complete.load(std::memory_order_acquire);
    const uint64_t produced = header_->produced.load(std::memory_order_acquire);
    if (complete > produced && complete - position_ <= mask_ + 1)
        header_->produced.store(complete, std::memory_order_release);
}

std::span<char> RingConsumer::take(uint16_t& kind) {
    while (!corrupt_) {
        uint64_t available = header_->produced.load(std::memory_order_acquire) - position_;
        if (available == 0) return {};
        size_t offset = position_ & mask_;
        RecordHeader record;
        memcpy(&record, data_ + offset, sizeof record);
        size_t rounded = round_record(record.size);
        if (available > mask_ + 1 || record.size < sizeof record || rounded > available ||
            rounded > mask_ + 1 - offset) {
            corrupt_ = true;
            break;
        }
        // Padding fills the end of the data and is never all of it. Otherwise a hostile producer could keep
        // its consumer in this loop with padding alone.
        if (record.kind == 0 && (offset == 0 || rounded != mask_ + 1 - offset)) {
            corrupt_ = true;
            break;
        }
        position_ += rounded;
        if (record.kind != 0) {
            kind = record.kind;
            return {data_ + offset, record.size};
        }
    }
    return {};
}

}  // namespace sluice
