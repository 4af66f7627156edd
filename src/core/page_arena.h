#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// Hands out runs of pages from a region of shared memory. All book-keeping is in private memory, out of
/// reach of those who write to the region; offsets that come back are checked. Not thread-safe.
///
/// Freed runs are merged with free neighbours. The run freed last is handed out first, for it is still in the
/// cache. Search is by power-of-two size classes: constant time except in the size's own class.
class PageArena {
  public:
    static constexpr size_t kPageSize = 4096;
    static constexpr size_t kNone = SIZE_MAX;

    PageArena() = default;
    explicit PageArena(size_t bytes);

    /// Offset of `bytes` of room, or kNone when there is no run that long.
    size_t allocate(size_t bytes);
    /// Makes a run that was handed out at least `bytes` long, in place. False, and nothing is changed, when
    /// the pages behind it are not free.
    bool extend(size_t offset, size_t bytes);
    /// Gives a run back. False when no run begins at this offset: it came from a hostile peer.
    bool free(size_t offset);
    /// Bytes that the run at this offset has room for; 0 when no run was handed out there.
    size_t size_at(size_t offset) const;

    /// Calls `visit(first_page, pages, used)` for each run that begins before `end_page`.
    template <typename Visit>
    void for_each_run(size_t end_page, Visit visit) const {
        for (size_t page = 0; page < end_page && page < runs_.size(); page += runs_[page].pages)
            visit(page, size_t{runs_[page].pages}, runs_[page].used);
    }

    size_t used_bytes() const { return used_pages_ * kPageSize; }
    size_t capacity() const { return runs_.size() * kPageSize; }
    /// The longest run that an empty arena can give.
    size_t largest() const { return capacity(); }

  private:
    static constexpr uint32_t kNil = UINT32_MAX;
    static constexpr unsigned kClasses = 32;

    /// The entry of each run's first page. The entry of a run's last page repeats `pages` of a free run, and
    /// `used` of a used one, for the run on its right.
    struct Run {
        uint32_t pages = 0;
        bool used = false;
        uint32_t next = kNil;  ///< in the free list of its class
        uint32_t previous = kNil;
    };

    void link(uint32_t first, uint32_t pages);
    void unlink(uint32_t first);

    std::vector<Run> runs_;
    uint32_t heads_[kClasses];
    uint32_t nonempty_ = 0;  ///< bit per class
    size_t used_pages_ = 0;
};

}  // namespace sluice
