#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice {

/// A peer's progress moves its deadline: each byte adds the time that a byte takes at the least rate, up to
/// the longest pause from now. So a peer that drips is cut off one pause after it began to drip, and a peer
/// that keeps the rate is never cut off. With a rate of 0 only the pause counts.
inline uint64_t moved_deadline(uint64_t due_ms, uint64_t now_ms, uint64_t bytes, uint32_t pause_ms,
                               uint64_t bytes_per_second) {
    const uint64_t latest_ms = now_ms + pause_ms;
    if (bytes_per_second == 0) return latest_ms;
    return std::min(latest_ms, due_ms + (bytes * 1000 + bytes_per_second - 1) / bytes_per_second);
}

}  // namespace sluice
