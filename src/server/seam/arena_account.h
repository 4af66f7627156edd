#pragma once

#include <cstddef>

#include "core/ref.h"

namespace sluice {

/// What one client holds of an arena. One thread.
struct ArenaAccount final : RefCounted {
    explicit ArenaAccount(Ref<ArenaAccount> address_ = {}) : address(std::move(address_)) {}

    size_t bytes = 0;
    const Ref<ArenaAccount> address;  ///< what all clients of its address hold together; may be empty
};

/// For whom room is, and whether it is for a whole message or for as much as has come of one.
struct ArenaClaim {
    ArenaAccount* account = nullptr;  ///< nullptr: of nobody's share
    bool is_whole = true;
};

}  // namespace sluice
