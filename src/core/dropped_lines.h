#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace sluice::log {

/// Lines that were not written, of all processes of a server together.
struct DroppedLines {
    std::atomic<uint64_t> repeated;          ///< counted instead: see kRepeats
    std::atomic<uint64_t> not_taken;         ///< by the log's file or pipe
    std::atomic<uint64_t> access_not_taken;  ///< by an access log's file, in time
};

/// Where this process, and those that it forks, count from now on.
void count_dropped_in(DroppedLines& lines);
/// The memory goes away: nothing in it is counted any more.
void stop_counting_in(std::span<const char> memory);

void count_dropped(std::atomic<uint64_t> DroppedLines::*why, uint64_t lines = 1);

}  // namespace sluice::log
