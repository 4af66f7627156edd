#include "server/reactor/debts.h"

#include <algorithm>

namespace sluice {

void Debts::untaken(uint64_t address) {
    if (address == 0) return;
    if (owing_.size() >= kMostAddresses && !owing_.contains(address)) owing_.erase(owing_.begin());
    Debt& debt = owing_[address];
    if (debt.since_ms + kForgottenMs <= now_ms_) debt.amount = 0;
    debt.amount = std::min(debt.amount + kCost, kMost);
    debt.since_ms = now_ms_;
}

bool Debts::find(uint64_t address) const {
    const auto found = owing_.find(address);
    return found != owing_.end() && now_ms_ < found->second.since_ms + kForgottenMs;
}

void Debts::pay(uint64_t address) {
    const auto found = owing_.find(address);
    if (found != owing_.end() && --found->second.amount == 0) owing_.erase(found);
}

}  // namespace sluice
