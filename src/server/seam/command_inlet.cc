#include "server/seam/command_inlet.h"

#include <cstring>

#include "base/page_arena.h"

namespace sluice {

/// A payload in a worker's out-arena. When nobody needs it any more, the worker is told by the word in front
/// of it.
class CommandInlet::SlotPayload final : public Payload {
  public:
    SlotPayload(List& list, char* slot, size_t size)
        : Payload(slot + kOutSlotHeader, size), list_(&list), slot_(slot), next_(list.first) {
        if (next_) next_->previous_ = this;
        list.first = this;
    }
    ~SlotPayload() override {
        if (!slot_) return;
        unlink();
        reinterpret_cast<std::atomic<uint32_t>*>(slot_)->store(kOutSlotFree, std::memory_order_release);
    }
    void detach() {
        unlink();
        own_.reset(new char[size_]);
        memcpy(own_.get(), data_, size_);
        data_ = own_.get();
        slot_ = nullptr;
    }

  private:
    void unlink() {
        (previous_ ? previous_->next_ : list_->first) = next_;
        if (next_) next_->previous_ = previous_;
    }

    List* list_;
    char* slot_;
    SlotPayload* next_;
    SlotPayload* previous_ = nullptr;
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
    while (payloads_ && payloads_->first)
        payloads_->first->detach();
}

Ref<Payload> CommandInlet::borrow(const DecodedCommand& decoded) {
    const uint64_t at = decoded.number;
    if (at % PageArena::kPageSize != 0 || at >= out_arena_.size() ||
        out_arena_.size() - at < kOutSlotHeader + size_t{decoded.payload_bytes}) {
        return {};
    }
    return Ref<Payload>::adopt(new SlotPayload(*payloads_, out_arena_.data() + at, decoded.payload_bytes));
}

/// Descriptors and the records that speak of them come in the same order, and the descriptor comes first.
bool CommandInlet::take_file(uint64_t number, UniqueFd& file) {
    std::optional<FdChannel::Received> received = files_.receive();
    if (!received || received->number != files_taken_ || number != files_taken_) return false;
    ++files_taken_;
    file = std::move(received->fd);
    return true;
}

}  // namespace sluice
