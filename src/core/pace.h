#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice {

/// Where a deadline moves to that a peer keeps by making progress: each byte buys it the time that a byte
/// takes at the least rate, and it is never further away than the longest pause. So a peer that drips is cut
/// off one pause after it began to, and one that keeps the rate never is. A rate of 0 leaves the pause alone.
inline uint64_t moved_deadline(uint64_t due_ms, uint64_t now_ms, uint64_t bytes, uint32_t pause_ms,
                               uint64_t bytes_per_second) {
    const uint64_t latest_ms = now_ms + pause_ms;
    if (bytes_per_second == 0) return latest_ms;
    return std::min(latest_ms, due_ms + (bytes * 1000 + bytes_per_second - 1) / bytes_per_second);
}

}  // namespace sluice
