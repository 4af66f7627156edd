#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::log {

/// What all processes of a server together know of their log: the lines that were not written, and the text
/// of the last ones. Any of them may write anything there.
struct SharedLog {
    static constexpr size_t kLastLines = 128;
    /// A longer line is cut off there.
    static constexpr size_t kLineBytes = 1012;

    std::atomic<uint64_t> repeated;          ///< counted instead: see kRepeats
    std::atomic<uint64_t> not_taken;         ///< by the log's file or pipe
    std::atomic<uint64_t> access_not_taken;  ///< by an access log's file, in time

    struct Line {
        std::atomic<uint64_t> number;  ///< from 1; 0: there is none, or it is being changed
        uint32_t size;
        char text[kLineBytes];
    };
    std::atomic<uint64_t> lines;  ///< so far
    Line last[kLastLines];        ///< by number

    void remember(std::string_view line);
    /// The last lines, the oldest first, each with its line feed.
    std::string tail() const;
};

/// Where this process, and those that it forks, count and remember lines from now on.
void share(SharedLog& log);
/// The memory goes away: nothing in it is changed any more.
void stop_sharing_in(std::span<const char> memory);

void count_dropped(std::atomic<uint64_t> SharedLog::*why, uint64_t lines = 1);
void remember(std::string_view line);

}  // namespace sluice::log
