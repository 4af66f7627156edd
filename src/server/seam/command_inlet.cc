#include "server/seam/command_inlet.h"

#include <algorithm>
#include <cstring>

#include "core/page_arena.h"

namespace sluice {

/// A payload in a worker's out-arena. Its destructor tells the worker by the word in front of it that the
/// extent is free.
class CommandInlet::ExtentPayload final : public Payload {
  public:
    ExtentPayload(List& list, char* extent, size_t size)
        : Payload(extent + kOutExtentHeader, size), list_(&list), extent_(extent), older_(list.newest) {
        (older_ ? older_->newer_ : list.oldest) = this;
        list.newest = this;
        list.bytes += size;
        OutMemory::add_extent(size);
    }
    ~ExtentPayload() override {
        if (extent_) {
            leave();
            free(extent_);
        } else {
            OutMemory::drop_payload(size_);
        }
    }
    /// Copies it to memory of the reactor, and gives the extent back to the worker.
    void move() {
        char* extent = extent_;
        detach();
        free(extent);
    }
    /// Copies it to memory of the reactor after the worker's death, without a word to the worker.
    void detach() {
        own_.reset(new char[size_]);
        memcpy(own_.get(), data_, size_);
        data_ = own_.get();
        OutMemory::add_payload(size_);
        leave();
        extent_ = nullptr;
    }
    ExtentPayload* older() const { return older_; }

    uint64_t seen_ms = 0;  ///< when the first turn ended without sending it; 0: none

  private:
    void leave() {
        (newer_ ? newer_->older_ : list_->newest) = older_;
        (older_ ? older_->newer_ : list_->oldest) = newer_;
        list_->bytes -= size_;
        OutMemory::drop_extent(size_);
    }
    static void free(char* extent) {
        reinterpret_cast<std::atomic<uint32_t>*>(extent)->store(kOutExtentFree, std::memory_order_release);
    }

    List* list_;
    char* extent_;  ///< nullptr: copied to the reactor's memory
    ExtentPayload* older_;
    ExtentPayload* newer_ = nullptr;
    std::unique_ptr<char[]> own_;
};

CommandInlet::CommandInlet(RingConsumer ring, std::span<char> out_arena, FdChannel files)
    : ring_(ring), out_arena_(out_arena), files_(std::move(files)), payloads_(std::make_unique<List>()) {}

CommandInlet::CommandInlet(CommandInlet&&) noexcept = default;

CommandInlet& CommandInlet::operator=(CommandInlet&& other) noexcept {
    if (this != &other) {
        detach();
        ring_ = other.ring_;
        out_arena_ = other.out_arena_;
        files_ = std::move(other.files_);
        files_taken_ = other.files_taken_;
        broken_ = other.broken_;
        payloads_ = std::move(other.payloads_);
    }
    return *this;
}

CommandInlet::~CommandInlet() {
    detach();
}

void CommandInlet::detach() {
    files_ = {};  // with the files that the worker has sent without their records
    while (payloads_ && payloads_->oldest)
        payloads_->oldest->detach();
}

int CommandInlet::relieve(uint64_t now_ms, size_t& budget) {
    if (!payloads_ || !payloads_->oldest) return -1;
    for (ExtentPayload* fresh = payloads_->newest; fresh && fresh->seen_ms == 0; fresh = fresh->older())
        fresh->seen_ms = now_ms;
    const size_t most_bytes = out_arena_.size() / kLingeringPart;
    while (ExtentPayload* oldest = payloads_->oldest) {
        const uint64_t slow_at_ms = oldest->seen_ms + kSlowMs;
        if (slow_at_ms > now_ms && payloads_->bytes <= most_bytes)
            return static_cast<int>(slow_at_ms - now_ms);
        if (budget == 0) return 0;
        budget -= std::min(budget, oldest->size());
        oldest->move();
    }
    return -1;
}

Ref<Payload> CommandInlet::borrow(const DecodedCommand& decoded) {
    const uint64_t at = decoded.number;
    if (at % PageArena::kPageSize != 0 || at >= out_arena_.size() ||
        out_arena_.size() - at < kOutExtentHeader + size_t{decoded.payload_bytes}) {
        return {};
    }
    return Ref<Payload>::adopt(new ExtentPayload(*payloads_, out_arena_.data() + at, decoded.payload_bytes));
}

/// Descriptors come in the order of the records that refer to them, each before its record.
bool CommandInlet::take_file(uint64_t number, UniqueFd& file) {
    std::optional<FdChannel::Received> received = files_.receive();
    if (!received || received->number != files_taken_ || number != files_taken_) return false;
    ++files_taken_;
    file = std::move(received->fd);
    return true;
}

}  // namespace sluice
