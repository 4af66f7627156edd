#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/page_arena.h"

namespace sluice {

/// Finds the pages of an arena that have been free for some seconds, so that their memory goes back to the
/// kernel. A server that keeps up uses the same few pages again and again, and these are left alone. What a
/// page costs when it is used goes into one byte; all else is done once in a second, a little at a time.
class IdlePages {
  public:
    static constexpr uint64_t kPassMs = 1000;
    /// A page goes back when it was free at so many passes in succession: a load that comes in bursts is not
    /// to pay for its pages with each of them.
    static constexpr uint8_t kPasses = 5;
    /// Giving back 4 MiB takes less than a millisecond; others are served in between.
    static constexpr size_t kMostBytes = size_t{4} << 20;
    static constexpr uint64_t kPauseMs = 5;

    explicit IdlePages(size_t pages) : passes_(pages) {}

    /// These pages were in use until now.
    void freed(size_t offset, size_t bytes) {
        const size_t first = offset / PageArena::kPageSize;
        const size_t end = first + bytes / PageArena::kPageSize;
        std::fill(passes_.begin() + static_cast<ptrdiff_t>(first),
                  passes_.begin() + static_cast<ptrdiff_t>(end), kFirst);
        end_ = std::max(end_, end);
    }

    /// Calls `give_back(offset, bytes)` for stretches of pages that are idle. Returns in how many ms to call
    /// it again; -1: when something was freed.
    template <typename GiveBack>
    int look(const PageArena& arena, uint64_t now_ms, GiveBack give_back) {
        if (end_ == 0) return -1;
        if (now_ms < due_ms_) return static_cast<int>(due_ms_ - now_ms);
        const bool counts = !rest_;
        size_t budget = kMostBytes / PageArena::kPageSize;
        size_t end = 0;  // of free pages that may have memory
        rest_ = false;
        arena.for_each_run(end_, [&](size_t first, size_t pages, bool used) {
            if (used) return;  // freed() will tell
            const size_t last = std::min(first + pages, end_);
            size_t idle = first;  // pages from here on, up to `page`, are idle
            const auto give = [&](size_t page) {
                if (page > idle) give_back(idle * PageArena::kPageSize, (page - idle) * PageArena::kPageSize);
                idle = page + 1;
            };
            for (size_t page = first; page < last; ++page) {
                uint8_t& passes = passes_[page];
                if (passes == kPasses && budget) {
                    --budget;
                    passes = kNone;
                    continue;
                }
                give(page);
                if (passes == kNone) continue;
                end = page + 1;
                if (passes == kPasses) {
                    rest_ = true;
                } else if (counts) {
                    ++passes;
                }
            }
            give(last);
        });
        end_ = end;
        due_ms_ = now_ms + (rest_ ? kPauseMs : kPassMs);
        return end_ ? static_cast<int>(due_ms_ - now_ms) : -1;
    }

  private:
    static constexpr uint8_t kNone = 0;  ///< the page has no memory
    static constexpr uint8_t kFirst = 1;

    std::vector<uint8_t> passes_;  ///< by page: since how many passes it is free, or kNone
    size_t end_ = 0;               ///< free pages from here on have no memory
    uint64_t due_ms_ = 0;
    bool rest_ = false;  ///< the last look has left idle pages
};

}  // namespace sluice
