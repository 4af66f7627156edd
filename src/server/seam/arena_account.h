#pragma once

#include <cstddef>

#include "core/ref.h"

namespace sluice {

/// How much one client holds of an arena. Not thread-safe.
struct ArenaAccount final : RefCounted {
    explicit ArenaAccount(Ref<ArenaAccount> address_ = {}) : address(std::move(address_)) {}

    size_t bytes = 0;
    size_t partial_bytes = 0;         ///< of these, in parts of messages
    const Ref<ArenaAccount> address;  ///< the account of all clients of its address; may be empty
};

/// Whom room in an arena is for, and whether it is for a whole message or for a part of one.
struct ArenaClaim {
    ArenaAccount* account = nullptr;  ///< nullptr: charged to no client
    bool is_whole = true;
};

}  // namespace sluice
