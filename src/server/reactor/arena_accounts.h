#pragma once

#include <cstdint>
#include <unordered_map>

#include "server/seam/arena_account.h"

namespace sluice {

struct Connection;

/// How much of the receiving arena each client and each address holds.
class ArenaAccounts {
  public:
    /// A client's account, which is made with its first long message.
    const Ref<ArenaAccount>& of(Connection& connection);
    size_t addresses() const { return by_address_.size(); }

  private:
    Ref<ArenaAccount> of_address(uint64_t key);

    std::unordered_map<uint64_t, Ref<ArenaAccount>> by_address_;
    size_t looked_through_ = 0;  ///< number of accounts at the last sweep of unused ones
};

}  // namespace sluice
