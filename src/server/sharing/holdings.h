#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// How much each key has of something: a table of those that have any, which grows and shrinks with their
/// number. Counting takes no allocation while that stays about the same.
class Holdings {
  public:
    using Key = uint64_t;
    /// Nobody's amounts are not counted.
    static constexpr Key kNobody = 0;

    uint64_t of(Key key) const;
    void add(Key key, uint64_t amount);
    /// The key must have it.
    void take(Key key, uint64_t amount);
    size_t size() const { return size_; }
    size_t capacity() const { return places_.size(); }

  private:
    struct Place {
        Key key = kNobody;  ///< kNobody: free
        uint64_t amount = 0;
    };
    static constexpr size_t kLeastPlaces = 8;

    /// Keys of connections are consecutive, so the upper bits of a product decide.
    size_t home_of(Key key) const { return static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> shift_); }
    /// Where the key stands, or the free place where it would.
    size_t place_of(Key key) const;
    void erase(size_t place);
    void resize(size_t places);

    std::vector<Place> places_;  ///< none or a power of two, at most half of them taken
    unsigned shift_ = 0;
    size_t size_ = 0;
};

}  // namespace sluice
