#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "server/sharing/holdings.h"

namespace sluice {

/// How much of something one of those who share it may have. `open` of it goes to whoever comes, so that one
/// key behind which many users sit is not kept from it. Beyond that a key gets more only while it then has no
/// more than a part of what is left: what is left shrinks by a ninth, or by a third, with each greedy key,
/// and n keys that want the same amount end at open / (n + part) beyond what is open.
struct ShareRule {
    /// For what each client needs few or little of: eighths, which last for many dozens of clients.
    static constexpr uint64_t kEighth = 8;
    /// For memory, of which one message may need much: halves, which last for some ten.
    static constexpr uint64_t kHalf = 2;
    /// Of a budget this part is not open, unless somebody decides otherwise.
    static constexpr uint64_t kReserve = 8;

    uint64_t most;
    uint64_t open;
    uint64_t least = 1;       ///< as long as there is any, a key may have that much
    uint64_t part = kEighth;  ///< of what is left

    static constexpr ShareRule of(uint64_t most, uint64_t least = 1, uint64_t part = kEighth) {
        return {most, most - most / kReserve, least, part};
    }
    /// The most that one key may have when all together have `used`, its own included.
    constexpr uint64_t share(uint64_t used) const {
        if (used <= open) return most;
        return used <= most ? std::max(least, (most - used) / part) : 0;
    }
    constexpr bool allows(uint64_t used, uint64_t own) const { return used <= open || own <= share(used); }
};

/// Something of which there is so much, how much of it each key has, and the rule by which they share it. A
/// key is a client: an address, or a connection whose address nobody knows (Connection::client_key()). What
/// kNobody has is bounded by the total alone. Memory is taken for keys that have something. Knows no sockets,
/// protocols or workers. Not thread-safe.
class Budget {
  public:
    using Key = Holdings::Key;
    static constexpr Key kNobody = Holdings::kNobody;

    explicit Budget(const ShareRule& rule) : rule_(rule) {}
    /// `least`, `part`: see ShareRule.
    explicit Budget(uint64_t most, uint64_t least = 1, uint64_t part = ShareRule::kEighth)
        : Budget(ShareRule::of(most, least, part)) {}

    /// What is used besides, by those who count for themselves, and how much of that may be the key's.
    struct Besides {
        uint64_t used = 0;
        uint64_t own = 0;
    };
    /// Whether the key may have so much more.
    bool may_have(Key key, uint64_t amount, const Besides& besides = {0, 0}) const;
    /// Whether whoever comes may.
    bool is_open(uint64_t amount) const { return used_ + amount <= rule_.open; }
    void charge(Key key, uint64_t amount);
    /// False, and nothing is charged, when the key may not have it.
    bool take(Key key, uint64_t amount = 1);
    /// The key must have it.
    void give_back(Key key, uint64_t amount = 1);

    uint64_t used() const { return used_; }
    uint64_t used_by(Key key) const { return by_key_.of(key); }
    const ShareRule& rule() const { return rule_; }
    /// How many keys have something.
    size_t keys() const { return by_key_.size(); }

  private:
    ShareRule rule_;
    uint64_t used_ = 0;
    Holdings by_key_;
};

}  // namespace sluice
