#include "core/utf8.h"

#include <cstring>

namespace sluice {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080u;

uint64_t load_eight(const uint8_t* at) {
    uint64_t value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

const uint8_t* skip_ascii(const uint8_t* at, const uint8_t* end) {
    while (end - at >= 16 && ((load_eight(at) | load_eight(at + 8)) & kHighBits) == 0) {
        at += 16;
    }
    while (at != end && *at < 0x80) {
        ++at;
    }
    return at;
}

bool is_continuation(uint8_t byte) {
    return (byte & 0xc0) == 0x80;
}

/// The size of the valid character of two to four bytes at `at`, where four bytes must be readable; 0 when it
/// is not plainly valid: the state machine has to decide.
size_t plain_character(const uint8_t* at) {
    if (!is_continuation(at[1])) return 0;
    if (at[0] >= 0xc2 && at[0] <= 0xdf) return 2;
    if (!is_continuation(at[2])) return 0;
    if (at[0] >= 0xe1 && at[0] <= 0xef && at[0] != 0xed) return 3;
    if (at[0] >= 0xf1 && at[0] <= 0xf3 && is_continuation(at[3])) return 4;
    return 0;
}

#if defined(__x86_64__) || (defined(__aarch64__) && !defined(__clang__))

/// Checks sixteen bytes at a time, each with the three before it (Keiser and Lemire's lookup algorithm). What
/// can be wrong with two neighbours depends on three nibbles only. Each nibble has a table of the faults that
/// it allows; a fault that all three tables allow is present.
using Bytes [[gnu::vector_size(16)]] = uint8_t;
constexpr ptrdiff_t kLookBack = 3;

enum : uint8_t {
    kTooShort = 1 << 0,     // a lead, and no continuation after it
    kTooLong = 1 << 1,      // ASCII, and a continuation after it
    kOverlong3 = 1 << 2,    // e0 80 to e0 9f
    kTooLarge = 1 << 3,     // f4 90 to f4 bf, f5 90 and more
    kSurrogate = 1 << 4,    // ed a0 to ed bf
    kOverlong2 = 1 << 5,    // c0, c1
    kOverlong4 = 1 << 6,    // f0 80 to f0 8f
    kTooLargeToo = 1 << 6,  // f5 80 to ff 8f
    kTwoContinuations = 1 << 7,
    kWhateverLow = kTooShort | kTooLong | kTwoContinuations,
    kAboveF4 = kWhateverLow | kTooLarge | kTooLargeToo,
    kAnyContinuation = kTooLong | kOverlong2 | kTwoContinuations,
};

constexpr Bytes kFaultsByFirstHigh = {
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,  // ASCII
    kTwoContinuations,
    kTwoContinuations,
    kTwoContinuations,
    kTwoContinuations,
    kTooShort | kOverlong2,                             // c
    kTooShort,                                          // d
    kTooShort | kOverlong3 | kSurrogate,                // e
    kTooShort | kTooLarge | kTooLargeToo | kOverlong4,  // f
};
constexpr Bytes kFaultsByFirstLow = {
    kWhateverLow | kOverlong2 | kOverlong3 | kOverlong4,  // 0
    kWhateverLow | kOverlong2,                            // 1
    kWhateverLow,
    kWhateverLow,
    kWhateverLow | kTooLarge,  // 4
    kAboveF4,
    kAboveF4,
    kAboveF4,
    kAboveF4,
    kAboveF4,
    kAboveF4,
    kAboveF4,
    kAboveF4,
    kAboveF4 | kSurrogate,  // d
    kAboveF4,
    kAboveF4,
};
constexpr Bytes kFaultsBySecondHigh = {
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,                                                  // ASCII
    kAnyContinuation | kOverlong3 | kOverlong4 | kTooLargeToo,  // 8
    kAnyContinuation | kOverlong3 | kTooLarge,                  // 9
    kAnyContinuation | kSurrogate | kTooLarge,                  // a
    kAnyContinuation | kSurrogate | kTooLarge,                  // b
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,  // leads
};

#ifdef __x86_64__
#define SLUICE_BYTE_SHUFFLE [[gnu::target("ssse3")]]
bool has_byte_shuffle() {
    return __builtin_cpu_supports("ssse3");
}
#else
#define SLUICE_BYTE_SHUFFLE
bool has_byte_shuffle() {
    return true;
}
#endif

/// Looks each index (0 to 15) up in the table.
SLUICE_BYTE_SHUFFLE inline Bytes look_up(Bytes table, Bytes indices) {
#if defined(__clang__) && defined(__x86_64__)
    using Signed [[gnu::vector_size(16)]] = char;
    return (Bytes)__builtin_ia32_pshufb128((Signed)table, (Signed)indices);
#else
    return __builtin_shuffle(table, indices);
#endif
}

/// Skips whole blocks of valid text from `at`, which must be between two characters and have three readable
/// bytes before it; returns a place between two characters again.
SLUICE_BYTE_SHUFFLE const uint8_t* skip_valid_blocks(const uint8_t* at, const uint8_t* end) {
    const uint8_t* const begin = at;
    for (; end - at >= 16; at += 16) {
        Bytes now, before, two_before, three_before;
        std::memcpy(&now, at, sizeof now);
        std::memcpy(&before, at - 1, sizeof before);
        std::memcpy(&two_before, at - 2, sizeof two_before);
        std::memcpy(&three_before, at - 3, sizeof three_before);
        const Bytes faults = look_up(kFaultsByFirstHigh, before >> 4) &
                             look_up(kFaultsByFirstLow, before & 0x0f) &
                             look_up(kFaultsBySecondHigh, now >> 4);
        // Two continuations in a row are right exactly where a lead of three or four bytes stands before
        // them.
        const Bytes wanted =
            static_cast<Bytes>((two_before >= 0xe0) | (three_before >= 0xf0)) & uint8_t{kTwoContinuations};
        uint64_t halves[2];
        const Bytes wrong = faults ^ wanted;
        std::memcpy(halves, &wrong, sizeof halves);
        if ((halves[0] | halves[1]) != 0) break;
    }
    if (at == begin) return at;
    // The last character may go on in the next block, or be the invalid one.
    for (ptrdiff_t back = 1; back <= kLookBack; ++back) {
        const uint8_t byte = at[-back];
        if (byte >= 0xc0) {
            const ptrdiff_t size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
            return size > back ? at - back : at;
        }
        if (byte < 0x80) break;
    }
    return at;
}

#else

constexpr ptrdiff_t kLookBack = 3;
bool has_byte_shuffle() {
    return false;
}
const uint8_t* skip_valid_blocks(const uint8_t* at, const uint8_t*) {
    return at;
}

#endif

}  // namespace

bool Utf8Validator::accept_byte(uint8_t byte) {
    if (pending_ != 0) {
        if (byte < low_ || byte > high_) return false;
        low_ = 0x80;
        high_ = 0xbf;
        --pending_;
        return true;
    }
    if (byte < 0x80) return true;
    if (byte < 0xc2 || byte > 0xf4) return false;  // a stray continuation, an overlong pair, above U+10FFFF
    if (byte < 0xe0) {
        pending_ = 1;
    } else if (byte < 0xf0) {
        pending_ = 2;
        if (byte == 0xe0) low_ = 0xa0;   // below it is overlong
        if (byte == 0xed) high_ = 0x9f;  // above it is a surrogate
    } else {
        pending_ = 3;
        if (byte == 0xf0) low_ = 0x90;   // below it is overlong
        if (byte == 0xf4) high_ = 0x8f;  // above it is beyond U+10FFFF
    }
    return true;
}

bool Utf8Validator::accept(const char* data, size_t size) {
    if (pending_ == kFailed) return false;
    auto* at = reinterpret_cast<const uint8_t*>(data);
    const uint8_t* const end = at + size;
    const bool blocks = size >= 64 && has_byte_shuffle();
    const uint8_t* next_blocks = at + kLookBack;
    while (at != end) {
        if (pending_ == 0) {
            if (*at < 0x80) {
                at = skip_ascii(at, end);
                continue;
            }
            if (blocks && at >= next_blocks && end - at >= 16) {
                const uint8_t* const after = skip_valid_blocks(at, end);
                if (after != at) {
                    at = after;
                    continue;
                }
                next_blocks = at + 16;  // what is wrong stands here; leave it to the state machine
            }
            if (end - at >= 4) {
                if (size_t character = plain_character(at)) {
                    at += character;
                    continue;
                }
            }
        }
        if (!accept_byte(*at++)) {
            pending_ = kFailed;
            return false;
        }
    }
    return true;
}

bool is_utf8(std::string_view text) {
    Utf8Validator validator;
    return validator.accept(text.data(), text.size()) && validator.complete();
}

}  // namespace sluice
