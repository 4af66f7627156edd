#include "server/seam/fair_arena.h"

#include "core/shared_memory.h"

namespace sluice {

namespace {
size_t whole_pages(size_t bytes) {
    return (bytes + PageArena::kPageSize - 1) / PageArena::kPageSize * PageArena::kPageSize;
}
}  // namespace

bool FairArena::may_have(const ArenaAccount* account, size_t more_bytes) const {
    const size_t free_bytes = arena_.capacity() - arena_.used_bytes();
    if (more_bytes > free_bytes) return false;
    for (; account; account = account->address.get()) {
        if (account->bytes + more_bytes > kShare * (free_bytes - more_bytes)) return false;
    }
    return true;
}

bool FairArena::may_be_partial(size_t more_bytes) const {
    return partial_bytes_ + more_bytes <= arena_.capacity() / 2;
}

void FairArena::charge(Owner& owner, size_t bytes) {
    if (owner.is_partial) partial_bytes_ += bytes;
    for (ArenaAccount* account = owner.account.get(); account; account = account->address.get())
        account->bytes += bytes;
}

size_t FairArena::allocate(size_t bytes, const ArenaClaim& claim) {
    const size_t wanted = whole_pages(bytes);
    if (!may_have(claim.account, wanted) || (!claim.is_whole && !may_be_partial(wanted)))
        return PageArena::kNone;
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
    if (!may_have(owner.account.get(), wanted - before)) return false;
    if (!is_whole && !may_be_partial(wanted - before)) return false;
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
    if (owner.is_partial) partial_bytes_ -= bytes;
    for (ArenaAccount* account = owner.account.get(); account; account = account->address.get())
        account->bytes -= bytes;
    owner = {};
    return true;
}

int FairArena::give_idle_back(char* data, uint64_t now_ms) {
    return idle_.look(arena_, now_ms,
                      [data](size_t offset, size_t bytes) { give_pages_back(data + offset, bytes); });
}

void FairArena::settle(size_t offset) {
    Owner& owner = owner_at(offset);
    if (owner.is_partial) partial_bytes_ -= arena_.size_at(offset);
    owner.is_partial = false;
}

}  // namespace sluice
