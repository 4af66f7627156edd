#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// One reactor's counts of one address. Written by that reactor, read by the others.
struct AddressCell {
    std::atomic<uint64_t> key;   ///< 0: free
    std::atomic<uint32_t> open;  ///< connections
    std::atomic<uint32_t> second;
    std::atomic<uint32_t> recent;  ///< accepted in that second
    uint32_t unused;
};
static_assert(sizeof(AddressCell) == 24);

/// Counts connections by client address. The table has a fixed size, in which an address has a handful of
/// places: when others have taken all of them, it is not counted. So memory is bounded whoever connects, and
/// one client cannot get another's address refused.
class AddressTable {
  public:
    static constexpr size_t kPlaces = 16;

    /// `cells`: zeroed once, their number a multiple of kPlaces.
    explicit AddressTable(std::span<AddressCell> cells) : cells_(cells) {}

    // `key`: the client_key().

    struct Count {
        uint32_t open = 0;
        uint32_t recent = 0;
    };
    Count count(uint64_t key, uint32_t second) const;
    /// False: the table has no place for it; then do not call closed().
    bool opened(uint64_t key, uint32_t second);
    void closed(uint64_t key);

  private:
    std::span<AddressCell> places_of(uint64_t key) const;
    AddressCell* find(uint64_t key) const;

    std::span<AddressCell> cells_;
};

}  // namespace sluice
