#pragma once

#include <vector>

#include "core/page_arena.h"
#include "server/seam/arena_account.h"

namespace sluice {

/// A PageArena in which nobody can take all. What one client holds, and what all clients of one address hold,
/// is never more than kShare times what is free; so the more hold much, the less each may, and somebody new
/// always finds something. Half of it at most goes to parts of messages that will want more, so that there is
/// room for one of them to become whole.
class FairArena {
  public:
    static constexpr size_t kShare = 8;

    explicit FairArena(size_t bytes) : arena_(bytes), owners_(bytes / PageArena::kPageSize) {}

    // As of PageArena, but for who may have it.

    size_t allocate(size_t bytes, const ArenaClaim& claim);
    /// `is_whole`: as in its claim.
    bool extend(size_t offset, size_t bytes, bool is_whole);
    bool free(size_t offset);
    /// The message in it will want no more.
    void settle(size_t offset);

    size_t size_at(size_t offset) const { return arena_.size_at(offset); }
    size_t used_bytes() const { return arena_.used_bytes(); }

  private:
    struct Owner {
        Ref<ArenaAccount> account;
        bool is_partial = false;
    };
    Owner& owner_at(size_t offset) { return owners_[offset / PageArena::kPageSize]; }
    bool may_have(const ArenaAccount* account, size_t more_bytes) const;
    bool may_be_partial(size_t more_bytes) const;
    void charge(Owner& owner, size_t bytes);

    PageArena arena_;
    std::vector<Owner> owners_;  ///< by the page at which a run begins
    size_t partial_bytes_ = 0;
};

}  // namespace sluice
