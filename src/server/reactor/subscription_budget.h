#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace sluice {

/// Limits the memory of subscriptions, in total and for each address: one address holds at most kShare times
/// what is free, so that there is always some left for a new address.
class SubscriptionBudget {
  public:
    static constexpr uint64_t kShare = 8;

    explicit SubscriptionBudget(uint64_t most_bytes) : most_bytes_(most_bytes) {}

    // `address`: as of AddressTable::key_of(). Unknown clients, 0, have only the total's limit.

    bool may_have(uint64_t address, size_t bytes) const;
    void charge(uint64_t address, size_t bytes);
    void give_back(uint64_t address, size_t bytes);

    uint64_t used_bytes() const { return used_bytes_; }
    uint64_t used_by(uint64_t address) const;
    uint64_t most_bytes() const { return most_bytes_; }

  private:
    const uint64_t most_bytes_;
    uint64_t used_bytes_ = 0;
    std::unordered_map<uint64_t, uint64_t> by_address_;  ///< no zeros
};

}  // namespace sluice
