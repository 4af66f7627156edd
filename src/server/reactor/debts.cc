#include "server/reactor/debts.h"

#include <algorithm>
#include <utility>

namespace sluice {

void Debts::add(uint64_t address, uint32_t amount) {
    if (address == 0) return;
    if (owing_.size() >= kMostAddresses && !owing_.contains(address)) owing_.erase(owing_.begin());
    Debt& debt = owing_[address];
    if (debt.since_ms + kForgottenMs <= now_ms_) debt.amount = 0;
    debt.amount = std::min(debt.amount + amount, kMost);
    debt.since_ms = now_ms_;
}

void Debts::know(uint64_t address) {
    if (address == 0) return;
    if (known_.contains(address) && now_ms_ - known_since_ms_ < kKnownMs / 2) return;
    if (known_.empty() || known_.size() >= kMostAddresses / 2 || now_ms_ - known_since_ms_ >= kKnownMs / 2) {
        known_before_ = std::exchange(known_, {});
        if (now_ms_ - known_since_ms_ >= kKnownMs) known_before_.clear();
    }
    if (known_.empty()) known_since_ms_ = now_ms_;
    known_.insert(address);
}

uint32_t Debts::amount(uint64_t address) const {
    const auto found = owing_.find(address);
    if (found == owing_.end() || now_ms_ >= found->second.since_ms + kForgottenMs) return 0;
    return found->second.amount;
}

void Debts::pay(uint64_t address) {
    const auto found = owing_.find(address);
    if (found != owing_.end() && --found->second.amount == 0) owing_.erase(found);
}

}  // namespace sluice
