#pragma once

#include <cstdint>

#include "io/address.h"
#include "server/config/limits.h"
#include "server/seam/shared_layout.h"

namespace sluice {

struct Connection;

/// How many connections one address may have, and open in a second, at all reactors together.
class AddressLimits {
  public:
    AddressLimits(const SharedLayout& layout, unsigned reactor, const Limits& limits)
        : layout_(layout), reactor_(reactor), limits_(limits) {}

    /// Whether one more of this address may come; `key`: what it is counted as, 0 for not at all. Logs, now
    /// and then, who is refused.
    bool admits(const Address& client, uint64_t now_ms, uint64_t& key);
    /// It has come, or has gone.
    void count(Connection& connection, uint64_t key, uint64_t now_ms) const;
    void uncount(Connection& connection) const;

  private:
    const SharedLayout& layout_;
    const unsigned reactor_;
    const Limits& limits_;
    uint64_t refused_ = 0;
};

}  // namespace sluice
