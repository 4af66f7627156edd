#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace sluice {

/// Addresses whose clients have let answers be made that they did not take. While they owe, their requests
/// wait behind those of others; answers that they take pay it back. And addresses whose clients have taken
/// answers: these are known, and what nobody knows waits behind them when there is too much of it.
class Debts {
  public:
    /// What an answer costs that was not taken, in answers taken.
    static constexpr uint32_t kCost = 4;
    /// What it costs to leave before the request was begun.
    static constexpr uint32_t kCostOfLeaving = 1;
    /// No address owes more, and so none for long.
    static constexpr uint32_t kMost = 16;
    /// For how long after the last of these answers an address owes at most.
    static constexpr uint64_t kForgottenMs = 60'000;
    static constexpr size_t kMostAddresses = 65536;
    /// For how long an address is known at most; at least for half of it, unless too many are.
    static constexpr uint64_t kKnownMs = 1'200'000;

    /// `now_ms` stays the caller's, who moves it on.
    explicit Debts(const uint64_t& now_ms) : now_ms_(now_ms) {}

    // `address`: as of AddressTable::key_of(). 0, nobody knows it: never owes.

    void untaken(uint64_t address) {
        known_.erase(address);
        known_before_.erase(address);
        add(address, kCost);
    }
    /// Its client has left before anybody began its request.
    void unawaited(uint64_t address) { add(address, kCostOfLeaving); }
    void taken(uint64_t address) {
        if (!owing_.empty()) pay(address);
    }
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
    bool owes(uint64_t address) const { return !owing_.empty() && amount(address) > 0; }
    /// More than two answers: not those who left a page, nor those who asked again for one that was slow.
    bool owes_much(uint64_t address) const { return !owing_.empty() && amount(address) > 2 * kCost; }

  private:
    struct Debt {
        uint32_t amount = 0;
        uint64_t since_ms = 0;
    };
    void add(uint64_t address, uint32_t amount);
    void pay(uint64_t address);
    uint32_t amount(uint64_t address) const;

    const uint64_t& now_ms_;
    std::unordered_map<uint64_t, Debt> owing_;
    std::unordered_set<uint64_t> known_;
    uint64_t known_since_ms_ = 0;  ///< when the first of these came
    std::unordered_set<uint64_t> known_before_;
};

}  // namespace sluice
