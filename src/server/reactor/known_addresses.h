#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace sluice {

/// Addresses whose clients have taken an answer lately. When memory for output is full, only they may begin
/// something that takes more of it (OutBudget). Nothing that a client does makes its address unknown again:
/// its neighbours share it.
class KnownAddresses {
  public:
    static constexpr size_t kMostAddresses = 65536;
    /// For how long an address is known at most; at least for half of it, unless too many are.
    static constexpr uint64_t kKnownMs = 1'200'000;

    /// `now_ms` stays the caller's, who moves it on.
    explicit KnownAddresses(const uint64_t& now_ms) : now_ms_(now_ms) {}

    // `address`: as of client_key(). 0: nobody knows it.

    /// A connection of this address has taken its first answer.
    void know(uint64_t address);
    bool knows(uint64_t address) const {
        const uint64_t ms = now_ms_ - known_since_ms_;
        return (ms < kKnownMs && known_.contains(address)) ||
               (ms < kKnownMs / 2 && known_before_.contains(address));
    }
    /// knows(), for a client that comes again: its address stays known.
    bool recognizes(uint64_t address) {
        if (!knows(address)) return false;
        know(address);
        return true;
    }

  private:
    const uint64_t& now_ms_;
    std::unordered_set<uint64_t> known_;
    uint64_t known_since_ms_ = 0;  ///< when the first of these came
    std::unordered_set<uint64_t> known_before_;
};

}  // namespace sluice
