#pragma once

#include <cstddef>
#include <deque>

#include "server/seam/payload.h"

namespace sluice {

/// Whole messages that wait for a slow client and may still be dropped, the oldest first. A message's
/// overhead counts as bytes.
class Backlog {
  public:
    static constexpr size_t kOverheadBytes = 64;

    bool empty() const { return frames_.empty(); }
    size_t count() const { return frames_.size(); }
    size_t bytes() const { return bytes_; }

    void add(Ref<Payload> frame) {
        bytes_ += frame->size() + kOverheadBytes;
        frames_.push_back(std::move(frame));
    }
    Ref<Payload> take_oldest() {
        Ref<Payload> frame = std::move(frames_.front());
        frames_.pop_front();
        bytes_ -= frame->size() + kOverheadBytes;
        return frame;
    }

  private:
    std::deque<Ref<Payload>> frames_;
    size_t bytes_ = 0;
};

}  // namespace sluice
