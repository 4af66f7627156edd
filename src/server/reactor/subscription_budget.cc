#include "server/reactor/subscription_budget.h"

namespace sluice {

uint64_t SubscriptionBudget::used_by(uint64_t address) const {
    const auto found = by_address_.find(address);
    return found == by_address_.end() ? 0 : found->second;
}

bool SubscriptionBudget::may_have(uint64_t address, size_t bytes) const {
    if (used_bytes_ + bytes > most_bytes_) return false;
    const uint64_t free_bytes = most_bytes_ - used_bytes_ - bytes;
    return address == 0 || (used_by(address) + bytes) / kShare <= free_bytes;
}

void SubscriptionBudget::charge(uint64_t address, size_t bytes) {
    used_bytes_ += bytes;
    if (address) by_address_[address] += bytes;
}

void SubscriptionBudget::give_back(uint64_t address, size_t bytes) {
    used_bytes_ -= bytes;
    const auto found = by_address_.find(address);
    if (found == by_address_.end()) return;
    found->second -= bytes;
    if (found->second == 0) by_address_.erase(found);
}

}  // namespace sluice
