#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::php {

/// What a field holds while it is not in use (at rest).
enum class Rest : uint8_t {
    kZeroes = 0,
    kOnes = 0xff,
    /// Not read while the field visited before it is at rest.
    kWithTheOneBefore = 1,
};

/// Saves and restores fields of PHP's globals, which are at rest - all bytes 0, or all 0xff - while not in
/// use. Their contents are moved away as a whole, so that other code finds them at rest.
/// `Fields::each(visit)` calls visit(field) or visit(field, Rest) for each field; the first eight bytes of a
/// field tell whether it is in use. Everything is resolved at compile time, as at_rest() is called at each
/// switch of coroutines.
template <typename Fields>
class SetAside {
  public:
    [[gnu::always_inline]] static bool at_rest() {
        uint64_t used = 0;
        Fields::each([&used](const auto& field, Rest rest = Rest::kZeroes) __attribute__((always_inline)) {
            if (rest == Rest::kWithTheOneBefore) return;
            constexpr size_t kLooked = std::min(sizeof field, sizeof used);
            uint64_t bytes = 0;
            memcpy(&bytes, &field, kLooked);
            uint64_t resting = 0;
            if (rest == Rest::kOnes) memset(&resting, 0xff, kLooked);
            used |= bytes ^ resting;
        });
        return used == 0;
    }

    /// Bytes that take() needs.
    static constexpr size_t bytes() {
        size_t total = 0;
        Fields::each([&total](const auto& field, Rest = Rest::kZeroes) { total += sizeof field; });
        return total;
    }
    /// Moves the fields' contents to `kept`.
    static void take(void* kept) {
        char* to = static_cast<char*>(kept);
        Fields::each([&to](auto& field, Rest rest = Rest::kZeroes) {
            memcpy(to, &field, sizeof field);
            memset(&field, rest == Rest::kOnes ? 0xff : 0, sizeof field);
            to += sizeof field;
        });
    }
    /// Restores the fields; their current contents are lost.
    static void put_back(const void* kept) {
        const char* from = static_cast<const char*>(kept);
        Fields::each([&from](auto& field, Rest = Rest::kZeroes) {
            memcpy(&field, from, sizeof field);
            from += sizeof field;
        });
    }
};

}  // namespace sluice::php
