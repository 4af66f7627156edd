#include "server/seam/fair_arena.h"

#include "core/shared_memory.h"

namespace sluice {

namespace {
size_t whole_pages(size_t bytes) {
    return (bytes + PageArena::kPageSize - 1) / PageArena::kPageSize * PageArena::kPageSize;
}
}  // namespace

bool FairArena::may_have(Budget::Key client, size_t more_bytes, bool is_partial) const {
    return all_.may_have(client, more_bytes) && (!is_partial || partial_.may_have(client, more_bytes));
}

void FairArena::charge(const Owner& owner, size_t bytes) {
    all_.charge(owner.client, bytes);
    if (owner.is_partial) partial_.charge(owner.client, bytes);
}

void FairArena::discharge(const Owner& owner, size_t bytes) {
    all_.give_back(owner.client, bytes);
    if (owner.is_partial) partial_.give_back(owner.client, bytes);
}

size_t FairArena::allocate(size_t bytes, const ArenaClaim& claim) {
    const size_t wanted = whole_pages(bytes);
    if (!may_have(claim.client, wanted, !claim.is_whole)) return PageArena::kNone;
    const size_t offset = arena_.allocate(bytes);
    if (offset == PageArena::kNone) return offset;
    Owner& owner = owner_at(offset);
    owner = {claim.client, !claim.is_whole};
    charge(owner, arena_.size_at(offset));
    return offset;
}

bool FairArena::extend(size_t offset, size_t bytes, bool is_whole) {
    const size_t before = arena_.size_at(offset);
    const size_t wanted = whole_pages(bytes);
    if (before == 0 || wanted < before) return false;
    Owner& owner = owner_at(offset);
    if (!may_have(owner.client, wanted - before, !is_whole)) return false;
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
    partial_.give_back(owner.client, arena_.size_at(offset));
    owner.is_partial = false;
}

}  // namespace sluice
