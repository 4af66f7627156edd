#pragma once

#include <cstdint>
#include <unordered_map>

#include "server/seam/arena_account.h"

namespace sluice {

struct Connection;

/// Who holds how much of the arena that clients' messages are received into.
class ArenaAccounts {
  public:
    /// That of a client, who gets it with the first long message.
    const Ref<ArenaAccount>& of(Connection& connection);
    size_t addresses() const { return by_address_.size(); }

  private:
    Ref<ArenaAccount> of_address(uint64_t key);

    std::unordered_map<uint64_t, Ref<ArenaAccount>> by_address_;
    size_t looked_through_ = 0;  ///< how many there were when those that nobody uses were dropped
};

}  // namespace sluice
