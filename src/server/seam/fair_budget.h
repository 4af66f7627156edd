#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace sluice {

/// How clients share a budget. Seven eighths go to whoever comes, so that one address behind which many
/// users sit is not kept from them. Of the last eighth a client gets more only while that leaves it no more
/// than a part of what is left: it takes many greedy clients to use that up.
namespace fair {

constexpr uint64_t kReserve = 8;

/// For what each client needs few or little of: eighths, which last for many dozens of clients.
constexpr uint64_t kEighth = 8;
/// For memory, of which one message may need much: halves, which last for some ten.
constexpr uint64_t kHalf = 2;

constexpr uint64_t for_whoever_comes(uint64_t most) {
    return most - most / kReserve;
}

/// Whether a client may have so much that all together use `used`, and the client itself has `own` of it.
/// As long as there is any, a client may have `least`. `part`: see above.
constexpr bool allows(uint64_t most, uint64_t used, uint64_t own, uint64_t least, uint64_t part) {
    if (used <= for_whoever_comes(most)) return true;
    return used <= most && own <= std::max(least, (most - used) / part);
}

}  // namespace fair

/// A budget that clients share as `fair` says, with how much each has. A client is an address, or a
/// connection whose address nobody knows (Connection::client_key()). Not thread-safe.
class FairBudget {
  public:
    /// `least`, `part`: see fair::allows().
    explicit FairBudget(uint64_t most, uint64_t least = 1, uint64_t part = fair::kEighth)
        : most_(most), least_(least), part_(part) {}

    /// `used_elsewhere`: of the same budget, by those who count for themselves.
    bool may_have(uint64_t client, uint64_t amount, uint64_t used_elsewhere = 0) const;
    void charge(uint64_t client, uint64_t amount);
    /// False, and nothing is charged, when the client may not have it.
    bool take(uint64_t client, uint64_t amount = 1);
    void give_back(uint64_t client, uint64_t amount = 1);

    uint64_t used() const { return used_; }
    uint64_t used_by(uint64_t client) const;
    uint64_t most() const { return most_; }

  private:
    uint64_t most_;
    uint64_t least_;
    uint64_t part_;
    uint64_t used_ = 0;
    std::unordered_map<uint64_t, uint64_t> by_client_;  ///< no zeros
};

}  // namespace sluice
