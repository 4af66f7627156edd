#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/pace.h"

namespace sluice {

/// Until when the next bytes of a message have to come: see moved_deadline().
class MessagePace {
  public:
    /// They have. Of what message, progressed() or ended() tell.
    void came(size_t bytes) { bytes_ = std::min<uint64_t>(bytes_ + bytes, kMostBytes) & kMostBytes; }
    /// A message is on its way, and not complete. `limits`: of WebSockets, or of TCP.
    template <typename Limits>
    void progressed(uint64_t now_ms, const Limits& limits) {
        const uint64_t due_ms = due_ms_ ? moved_deadline(due_ms_, now_ms, bytes_, limits.message_ms,
                                                         limits.message_bytes_per_second)
                                        : now_ms + limits.message_ms;
        due_ms_ = due_ms & kLatestMs;
        bytes_ = 0;
    }
    /// It is complete.
    void ended() { due_ms_ = bytes_ = 0; }
    /// The client was not the one who was waited for.
    template <typename Limits>
    void begin_again(uint64_t now_ms, const Limits& limits) {
        ended();
        progressed(now_ms, limits);
    }

    uint64_t due_ms() const { return due_ms_; }  ///< 0: none is on its way
    bool is_overdue(uint64_t now_ms) const { return due_ms_ && due_ms_ <= now_ms; }

  private:
    // In one word: each connection has one.
    static constexpr uint64_t kMostBytes = (1u << 24) - 1;
    static constexpr uint64_t kLatestMs = (uint64_t{1} << 40) - 1;  ///< after 34 years without a restart
    uint64_t due_ms_ : 40 = 0;
    uint64_t bytes_ : 24 = 0;  ///< that the deadline does not know of
};

}  // namespace sluice
