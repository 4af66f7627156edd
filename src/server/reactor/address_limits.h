#pragma once

#include <cstdint>

#include "io/address.h"
#include "server/config/limits.h"
#include "server/seam/shared_layout.h"

namespace sluice {

struct Connection;

/// Limits the connections of one address, and those opened in a second, over all reactors.
class AddressLimits {
  public:
    AddressLimits(const SharedLayout& layout, unsigned reactor, const Limits& limits)
        : layout_(layout), reactor_(reactor), limits_(limits) {}

    /// Whether another connection of this address is admitted; `key`: its key in the AddressTable, 0: not
    /// counted. Logs refused addresses, at growing intervals.
    bool admits(const Address& client, uint64_t now_ms, uint64_t& key);
    /// Counts an admitted connection; uncount() when it ends.
    void count(Connection& connection, uint64_t key, uint64_t now_ms) const;
    void uncount(Connection& connection) const;

  private:
    const SharedLayout& layout_;
    const unsigned reactor_;
    const Limits& limits_;
    uint64_t refused_ = 0;
};

}  // namespace sluice
