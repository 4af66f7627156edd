#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "io/mapping_budget.h"
#include "server/sharing/budget.h"

namespace sluice {

/// How many places a worker with this limit of coroutines has: messages whose handlers wait hold one each,
/// and the kernel may have mappings for fewer stacks. Clients share them by a Budget.
inline size_t places_of_worker(size_t coroutines) {
    return std::min(coroutines, MappingBudget::of_process().stacks());
}

/// Whether a worker has places enough for a further message, whoever has sent it. `others`: so many messages
/// that it has hold none yet. While no handler waits a few may be with it however few places it has: it is
/// to be busy.
inline bool has_place_for_anybody(const Budget& places, size_t others) {
    constexpr size_t kFew = 16;
    return places.is_open(others + 1) || (places.used() == 0 && others < kFew);
}

/// Whether a further message of this client may go to the worker. `unbegun`: of the others so many have not
/// begun, and may be this client's.
inline bool has_place_for(const Budget& places, uint64_t client, size_t others, size_t unbegun) {
    return has_place_for_anybody(places, others) || places.may_have(client, 1, {others, unbegun});
}

}  // namespace sluice
