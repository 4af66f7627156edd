#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// Hands out runs of pages from a region of shared memory. All book-keeping is in private memory, so nobody
/// who can write to the region can mislead it; offsets that come back are checked. One thread.
///
/// Freed runs are merged with free neighbours and the run freed last is handed out first, for it is still in
/// the cache. Search is by power-of-two classes, constant time but for the last class looked into.
class PageArena {
  public:
    static constexpr size_t kPageSize = 4096;
    static constexpr size_t kNone = SIZE_MAX;

    PageArena() = default;
    explicit PageArena(size_t bytes);

    /// Offset of `bytes` of room, or kNone when there is no run that long.
    size_t allocate(size_t bytes);
    /// Makes a run that was handed out at least `bytes` long where it stands. False when what is behind it is
    /// not free: it is as before.
    bool extend(size_t offset, size_t bytes);
    /// Gives a run back. False when nothing was handed out at this offset: the caller has been lied to.
    bool free(size_t offset);
    /// Bytes that the run at this offset has room for; 0 when nothing was handed out there.
    size_t size_at(size_t offset) const;

    size_t used_bytes() const { return used_pages_ * kPageSize; }
    size_t capacity() const { return runs_.size() * kPageSize; }
    /// The longest run that an empty arena can give.
    size_t largest() const { return capacity(); }

  private:
    static constexpr uint32_t kNil = UINT32_MAX;
    static constexpr unsigned kClasses = 32;

    /// Kept at the first page of each run. The last page of a free run repeats `pages`, the last page of a
    /// used one repeats `used`: what the run on its right needs to know.
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
