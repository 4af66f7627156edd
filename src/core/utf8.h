#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice {

/// Validates UTF-8 (RFC 3629) that arrives in pieces cut anywhere.
///
/// Overlong forms, surrogates and everything above U+10FFFF are refused at the first byte that cannot belong
/// to a valid character, so a bad text is known to be bad before its end has arrived.
class Utf8Validator {
  public:
    /// Takes the next piece. False once any byte so far was wrong; it then stays false until `reset()`.
    bool accept(const char* data, size_t size);

    /// True between two characters (and at the start): a text may end here.
    bool complete() const { return pending_ == 0; }

    void reset() { *this = {}; }

  private:
    static constexpr uint8_t kFailed = 0xff;

    bool accept_byte(uint8_t byte);

    uint8_t pending_ = 0;  // continuation bytes still missing of the character begun, or kFailed
    uint8_t low_ = 0x80;   // what the next continuation byte may be at least ...
    uint8_t high_ = 0xbf;  // ... and at most
};

/// Whether the whole of `text` is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace sluice
