#include "server/seam/fair_arena.h"

#include "core/shared_memory.h"
#include "server/seam/fair_budget.h"

namespace sluice {

namespace {
size_t whole_pages(size_t bytes) {
    return (bytes + PageArena::kPageSize - 1) / PageArena::kPageSize * PageArena::kPageSize;
}
}  // namespace

bool FairArena::may_have(const ArenaAccount* account, size_t more_bytes, bool is_partial) const {
    const size_t most = arena_.capacity(), most_partial = most / 8 * 3;
    const size_t used = arena_.used_bytes() + more_bytes, partial = partial_bytes_ + more_bytes;
    if (more_bytes > most || used > most || (is_partial && partial > most_partial)) return false;
    for (; account; account = account->address.get()) {
        if (!fair::allows(most, used, account->bytes + more_bytes, PageArena::kPageSize, fair::kHalf))
            return false;
        if (is_partial && !fair::allows(most_partial, partial, account->partial_bytes + more_bytes,
                                        PageArena::kPageSize, fair::kHalf))
            return false;
    }
    return true;
}

void FairArena::charge(const Owner& owner, size_t bytes) {
    if (owner.is_partial) partial_bytes_ += bytes;
    for (ArenaAccount* account = owner.account.get(); account; account = account->address.get()) {
        account->bytes += bytes;
        if (owner.is_partial) account->partial_bytes += bytes;
    }
}

void FairArena::discharge(const Owner& owner, size_t bytes) {
    if (owner.is_partial) partial_bytes_ -= bytes;
    for (ArenaAccount* account = owner.account.get(); account; account = account->address.get()) {
        account->bytes -= bytes;
        if (owner.is_partial) account->partial_bytes -= bytes;
    }
}

size_t FairArena::allocate(size_t bytes, const ArenaClaim& claim) {
    const size_t wanted = whole_pages(bytes);
    if (!may_have(claim.account, wanted, !claim.is_whole)) return PageArena::kNone;
    const size_t offset = arena_.allocate(bytes);
    if (offset == PageArena::kNone) return offset;
    Owner& owner = owner_at(offset);
    if (claim.account) {
        claim.account->add_ref();
        owner.account = Ref<ArenaAccount>::adopt(claim.account);
    }
    owner.is_partial = !claim.is_whole;
    charge(owner, arena_.size_at(offset));
    return offset;
}

bool FairArena::extend(size_t offset, size_t bytes, bool is_whole) {
    const size_t before = arena_.size_at(offset);
    const size_t wanted = whole_pages(bytes);
    if (before == 0 || wanted < before) return false;
    Owner& owner = owner_at(offset);
    if (!may_have(owner.account.get(), wanted - before, !is_whole)) return false;
    if (!arena_.extend(offset, bytes)) return false;
    charge(owner, wanted - before);
    if (is_whole) settle(offset);
    return true;
}

bool FairArena::free(size_t offset) {
    const size_t bytes = arena_.size_at(offset);
    if (!arena_.free(offset)) return false;
    idle_.freed(offset, bytes);
    Owner& owner = owner_at(offset);
    discharge(owner, bytes);
    owner = {};
    return true;
}

int FairArena::give_idle_back(char* data, uint64_t now_ms) {
    return idle_.look(arena_, now_ms,
                      [data](size_t offset, size_t bytes) { give_pages_back(data + offset, bytes); });
}

void FairArena::settle(size_t offset) {
    Owner& owner = owner_at(offset);
    if (!owner.is_partial) return;
    const size_t bytes = arena_.size_at(offset);
    discharge(owner, bytes);
    owner.is_partial = false;
    charge(owner, bytes);
}

}  // namespace sluice
