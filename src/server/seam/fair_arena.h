#pragma once

#include <vector>

#include "core/idle_pages.h"
#include "core/page_arena.h"
#include "server/seam/arena_claim.h"
#include "server/sharing/budget.h"

namespace sluice {

/// A PageArena that clients share by a Budget. Three eighths of it may go to parts of
/// messages, shared likewise: half of it is left for one of them to become complete, and an eighth for
/// clients that hold little.
class FairArena {
  public:
    explicit FairArena(size_t bytes)
        : arena_(bytes),
          idle_(bytes / PageArena::kPageSize),
          owners_(bytes / PageArena::kPageSize),
          all_(arena_.capacity(), PageArena::kPageSize, ShareRule::kHalf),
          partial_(arena_.capacity() / 8 * 3, PageArena::kPageSize, ShareRule::kHalf) {}

    // As in PageArena, within the shares of clients.

    size_t allocate(size_t bytes, const ArenaClaim& claim);
    /// `is_whole`: see ArenaClaim.
    bool extend(size_t offset, size_t bytes, bool is_whole);
    bool free(size_t offset);
    /// The message in this run is complete.
    void settle(size_t offset);

    /// Gives back memory that has been free for a while, whose first byte is at `data`. Call it in each turn;
    /// returns in how many ms to call it again; -1: when something was freed.
    int give_idle_back(char* data, uint64_t now_ms);

    size_t size_at(size_t offset) const { return arena_.size_at(offset); }
    size_t used_bytes() const { return arena_.used_bytes(); }
    size_t used_by(Budget::Key client) const { return all_.used_by(client); }

  private:
    struct Owner {
        Budget::Key client = Budget::kNobody;
        bool is_partial = false;
    };
    Owner& owner_at(size_t offset) { return owners_[offset / PageArena::kPageSize]; }
    bool may_have(Budget::Key client, size_t more_bytes, bool is_partial) const;
    void charge(const Owner& owner, size_t bytes);
    void discharge(const Owner& owner, size_t bytes);

    PageArena arena_;
    IdlePages idle_;
    std::vector<Owner> owners_;  ///< by the page at which a run begins
    Budget all_;                 ///< bytes
    Budget partial_;             ///< of these, in parts of messages
};

}  // namespace sluice
