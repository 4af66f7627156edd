#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "server/seam/connection_id.h"

namespace sluice {

/// How much waits for each client, and for all clients of one address: who holds how much of what all share.
/// Those for whom nothing waits take no memory here.
class OutShares {
  public:
    // `address`: as of client_key(). Those whom nobody knows, 0, are not counted.

    /// That much waits for the client now; until this is 0 it stays one of the address.
    void set(ConnectionId client, uint64_t address, size_t bytes);
    uint64_t held_by(uint64_t address) const;
    uint64_t held_by_client(ConnectionId client) const;
    /// What each address could have, were `bytes` divided between those that hold something and one more.
    uint64_t fair_part(uint64_t bytes) const { return bytes / (addresses_.size() + 1); }

  private:
    std::unordered_map<ConnectionId, uint64_t> clients_;
    std::unordered_map<uint64_t, uint64_t> addresses_;
};

}  // namespace sluice
