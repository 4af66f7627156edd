#include "server/seam/attachments.h"

#include <algorithm>
#include <cstring>

namespace sluice {

namespace {

constexpr unsigned kFirstShift = 16;
constexpr unsigned kVersionShift = 48;

/// Length, first block and version: by the version a reader notices that the data has changed meanwhile.
uint64_t place_of(uint64_t before, uint32_t first, size_t bytes) {
    const uint64_t version = (before >> kVersionShift) + 1;
    return version << kVersionShift | uint64_t{first} << kFirstShift | bytes;
}

size_t blocks_for(size_t bytes) {
    return (bytes + AttachmentBlock::kBytes - 1) / AttachmentBlock::kBytes;
}

}  // namespace

Attachments::Attachments(const SharedLayout& layout, unsigned reactor, size_t most_bytes)
    : layout_(layout),
      reactor_(reactor),
      most_bytes_(std::min<size_t>(most_bytes, UINT16_MAX)),
      blocks_(layout.attachment_blocks(reactor).size(), blocks_for(most_bytes_)) {}

uint32_t Attachments::take_block() {
    if (free_ == kNil) {
        next_.push_back(kNil);
        return static_cast<uint32_t>(next_.size() - 1);
    }
    const uint32_t block = free_;
    free_ = next_[block];
    return block;
}

void Attachments::give_back(const Held& held) {
    uint32_t last = held.first;
    for (uint32_t passed = 1; passed < held.blocks; ++passed)
        last = next_[last];
    next_[last] = free_;
    free_ = held.first;
    blocks_.give_back(held.client, held.blocks);
}

void Attachments::count() const {
    layout_.reactor(reactor_).attached_bytes.store(blocks_.used() * sizeof(AttachmentBlock),
                                                   std::memory_order_relaxed);
}

bool Attachments::attach(ConnectionId id, uint64_t client, std::string_view data) {
    const size_t blocks = blocks_for(data.size());
    if (data.size() > most_bytes_ || !blocks_.take(client, blocks)) return false;
    if (blocks == 0) {
        drop(id);
        return true;
    }
    // The old blocks are given back after the new ones are in place, so that a reader finds one of both. A
    // reader of reused blocks notices that its cell has changed.
    std::atomic_thread_fence(std::memory_order_release);
    const std::span<AttachmentBlock> shared = layout_.attachment_blocks(reactor_);
    Held held{kNil, static_cast<uint32_t>(blocks), client};
    uint32_t before = kNil;
    for (size_t at = 0; at < data.size(); at += AttachmentBlock::kBytes) {
        const uint32_t block = take_block();
        const std::string_view part = data.substr(at, AttachmentBlock::kBytes);
        memcpy(shared[block].bytes, part.data(), part.size());
        if (before == kNil) {
            held.first = block;
        } else {
            next_[before] = block;
            shared[before].next.store(block, std::memory_order_relaxed);
        }
        before = block;
    }
    AttachmentCell& cell = layout_.attachment(id);
    cell.place.store(place_of(cell.place.load(std::memory_order_relaxed), held.first, data.size()),
                     std::memory_order_release);
    cell.id.store(id, std::memory_order_release);
    const auto [old, is_new] = held_.try_emplace(id, held);
    if (!is_new) {
        give_back(old->second);
        old->second = held;
    }
    count();
    return true;
}

void Attachments::drop(ConnectionId id) {
    const auto found = held_.find(id);
    if (found == held_.end()) return;
    layout_.attachment(id).id.store(kNoConnection, std::memory_order_relaxed);
    give_back(found->second);
    held_.erase(found);
    count();
}

Attached find_attached(const SharedLayout& layout, ConnectionId id) {
    const AttachmentCell& cell = layout.attachment(id);
    if (id == kNoConnection || cell.id.load(std::memory_order_acquire) != id) return {};
    return {cell.place.load(std::memory_order_acquire)};
}

bool read_attached(const SharedLayout& layout, ConnectionId id, const Attached& found, char* to) {
    const AttachmentCell& cell = layout.attachment(id);
    const std::span<AttachmentBlock> blocks = layout.attachment_blocks(reactor_of(id));
    uint32_t block = static_cast<uint32_t>(found.place >> kFirstShift);
    for (size_t left = found.bytes(); left > 0;) {
        // The chain may be invalid: a worker may have written to it, or the reactor may have reused it.
        if (block >= blocks.size()) return false;
        const size_t bytes = std::min(left, AttachmentBlock::kBytes);
        memcpy(to, blocks[block].bytes, bytes);
        block = blocks[block].next.load(std::memory_order_relaxed);
        to += bytes;
        left -= bytes;
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return cell.place.load(std::memory_order_relaxed) == found.place &&
           cell.id.load(std::memory_order_relaxed) == id;
}

}  // namespace sluice
