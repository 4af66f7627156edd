#include "io/body_reader.h"

#include <algorithm>
#include <cstring>

namespace sluice {

BodyPipe::Received BodyReader::receive(std::span<char> buffer, size_t& bytes, uint16_t& status) {
    using Received = BodyPipe::Received;
    for (;;) {
        if (ring_) {
            const std::span<const char> there = ring_->bytes();
            bytes = std::min(there.size(), buffer.size());
            if (bytes) {
                memcpy(buffer.data(), there.data(), bytes);
                if (ring_->took(bytes)) BodyPipe::wake(fd_);
                return Received::kBytes;
            }
        }
        if (ended_ != Received::kNothing) {
            if (ended_ == Received::kEnd) status = status_;
            return ended_;
        }
        // Without a look at the pipe: when the end stands there, the wait for it is short.
        if (ring_ && !is_called_) {
            is_called_ = ring_->sleep_until_filled();
            if (is_called_) return Received::kNothing;
            continue;
        }
        UniqueFd ring;
        const Received received = BodyPipe::receive(fd_, buffer, bytes, status_, ring);
        switch (received) {
            case Received::kBytes: return received;
            case Received::kNothing: return received;
            case Received::kRing:
                if (!ring_) ring_ = BodyRing::attach(ring.get());
                if (!ring_) ended_ = Received::kLost;
                break;
            case Received::kWoken: is_called_ = false; break;
            // What was written before it may have come after the look at the ring.
            case Received::kEnd:
            case Received::kLost:
            case Received::kStarved: ended_ = received; break;
        }
    }
}

}  // namespace sluice
