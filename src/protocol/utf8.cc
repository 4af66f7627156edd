#include "protocol/utf8.h"

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

/// The size of the valid character of two to four bytes at `at`, where four bytes can be read; 0 when it is
/// not plainly valid, so that the state machine decides.
size_t plain_character(const uint8_t* at) {
    if (!is_continuation(at[1])) return 0;
    if (at[0] >= 0xc2 && at[0] <= 0xdf) return 2;
    if (!is_continuation(at[2])) return 0;
    if (at[0] >= 0xe1 && at[0] <= 0xef && at[0] != 0xed) return 3;
    if (at[0] >= 0xf1 && at[0] <= 0xf3 && is_continuation(at[3])) return 4;
    return 0;
}

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
    while (at != end) {
        if (pending_ == 0) {
            if (*at < 0x80) {
                at = skip_ascii(at, end);
                continue;
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
