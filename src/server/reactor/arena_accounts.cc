#include "server/reactor/arena_accounts.h"

#include "server/reactor/connection.h"

namespace sluice {

namespace {
constexpr size_t kFewAddresses = 64;
}  // namespace

const Ref<ArenaAccount>& ArenaAccounts::of(Connection& connection) {
    if (!connection.account) {
        const uint64_t key = connection.address_key;
        connection.account =
            Ref<ArenaAccount>::adopt(new ArenaAccount(key ? of_address(key) : Ref<ArenaAccount>()));
    }
    return connection.account;
}

Ref<ArenaAccount> ArenaAccounts::of_address(uint64_t key) {
    if (by_address_.size() > 2 * looked_through_ + kFewAddresses) {
        std::erase_if(by_address_, [](const auto& entry) { return entry.second->is_unique(); });
        looked_through_ = by_address_.size();
    }
    Ref<ArenaAccount>& account = by_address_[key];
    if (!account) account = Ref<ArenaAccount>::adopt(new ArenaAccount());
    return account;
}

}  // namespace sluice
