#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/address.h"

namespace sluice {

/// What a reactor notes of one address. Written by that reactor, read by the others.
struct AddressCell {
    std::atomic<uint64_t> key;   ///< 0: free
    std::atomic<uint32_t> open;  ///< connections
    std::atomic<uint32_t> second;
    std::atomic<uint32_t> recent;  ///< accepted in that second
    uint32_t unused;
};
static_assert(sizeof(AddressCell) == 24);

/// Counts connections by the address that they come from. The table has one size for ever, in which an
/// address has a handful of places: when all of them are taken by others, it is not counted. So what is held
/// is bounded whoever comes, and the bound on one address does not become a means against the others.
class AddressTable {
  public:
    static constexpr size_t kPlaces = 16;

    /// Cells of this number and size, zeroed once. A whole multiple of kPlaces.
    explicit AddressTable(std::span<AddressCell> cells) : cells_(cells) {}

    struct Count {
        uint32_t open = 0;
        uint32_t recent = 0;
    };
    Count count(uint64_t key, uint32_t second) const;
    /// False: there was no place for it, and it must not be closed() either.
    bool opened(uint64_t key, uint32_t second);
    void closed(uint64_t key);

    /// What `address` is counted as: an IPv4 address, or the /64 network of an IPv6 one, for that is what a
    /// single customer has. 0 for what has no IP address, which is not counted. `secret` keeps anybody from
    /// choosing addresses that share their places with another's.
    static uint64_t key_of(const Address& address, uint64_t secret);

  private:
    std::span<AddressCell> places_of(uint64_t key) const;
    AddressCell* find(uint64_t key) const;

    std::span<AddressCell> cells_;
};

}  // namespace sluice
