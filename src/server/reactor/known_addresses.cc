#include "server/reactor/known_addresses.h"

#include <utility>

namespace sluice {

void KnownAddresses::know(uint64_t address) {
    if (address == 0) return;
    if (known_.contains(address) && now_ms_ - known_since_ms_ < kKnownMs / 2) return;
    if (known_.empty() || known_.size() >= kMostAddresses / 2 || now_ms_ - known_since_ms_ >= kKnownMs / 2) {
        known_before_ = std::exchange(known_, {});
        if (now_ms_ - known_since_ms_ >= kKnownMs) known_before_.clear();
    }
    if (known_.empty()) known_since_ms_ = now_ms_;
    known_.insert(address);
}

}  // namespace sluice
