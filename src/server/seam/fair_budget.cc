#include "server/seam/fair_budget.h"

#include <cassert>

namespace sluice {

uint64_t FairBudget::used_by(uint64_t client) const {
    const auto found = by_client_.find(client);
    return found == by_client_.end() ? 0 : found->second;
}

bool FairBudget::may_have(uint64_t client, uint64_t amount, uint64_t used_elsewhere) const {
    const uint64_t used = used_ + used_elsewhere;
    if (amount > most_ || used > most_ - amount) return false;
    if (used + amount <= fair::for_whoever_comes(most_)) return true;
    return fair::allows(most_, used + amount, used_by(client) + amount, least_, part_);
}

void FairBudget::charge(uint64_t client, uint64_t amount) {
    if (amount == 0) return;
    used_ += amount;
    by_client_[client] += amount;
}

bool FairBudget::take(uint64_t client, uint64_t amount) {
    if (!may_have(client, amount)) return false;
    charge(client, amount);
    return true;
}

void FairBudget::give_back(uint64_t client, uint64_t amount) {
    if (amount == 0) return;
    const auto found = by_client_.find(client);
    assert(found != by_client_.end() && found->second >= amount);
    used_ -= amount;
    found->second -= amount;
    if (found->second == 0) by_client_.erase(found);
}

}  // namespace sluice
