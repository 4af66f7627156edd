#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/pace.h"

namespace sluice {

/// The deadline of a message's next bytes: see moved_deadline().
class MessagePace {
  public:
    /// Bytes have come. progressed() or ended() tells of which message.
    void came(size_t bytes) { bytes_ = std::min<uint64_t>(bytes_ + bytes, kMostBytes) & kMostBytes; }
    /// A message has begun and is not complete. `limits`: of WebSockets, or of TCP.
    template <typename Limits>
    void progressed(uint64_t now_ms, const Limits& limits) {
        const uint64_t due_ms = due_ms_ ? moved_deadline(due_ms_, now_ms, bytes_, limits.message_ms,
                                                         limits.message_bytes_per_second)
                                        : now_ms + limits.message_ms;
        due_ms_ = due_ms & kLatestMs;
        bytes_ = 0;
    }
    /// The message is complete.
    void ended() { due_ms_ = bytes_ = 0; }
    /// The delay was not the client's: counts from now.
    template <typename Limits>
    void begin_again(uint64_t now_ms, const Limits& limits) {
        ended();
        progressed(now_ms, limits);
    }

    uint64_t due_ms() const { return due_ms_; }  ///< 0: no message has begun
    bool is_overdue(uint64_t now_ms) const { return due_ms_ && due_ms_ <= now_ms; }

  private:
    // Packed into 64 bits: each connection has a MessagePace.
    static constexpr uint64_t kMostBytes = (1u << 24) - 1;
    static constexpr uint64_t kLatestMs = (uint64_t{1} << 40) - 1;  ///< after 34 years without a restart
    uint64_t due_ms_ : 40 = 0;
    uint64_t bytes_ : 24 = 0;  ///< bytes that the deadline does not account for yet
};

}  // namespace sluice
