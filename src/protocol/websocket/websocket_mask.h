#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/utf8.h"

namespace sluice::websocket {

/// The four key bytes in the order in which they stand on the wire.
using MaskKey = std::array<uint8_t, 4>;

/// Masks or unmasks (one operation: XOR) in place. `phase` is the number of payload bytes of the frame that
/// came before `data`; only its value modulo 4 matters. Any alignment will do.
void unmask(char* data, size_t size, MaskKey key, size_t phase = 0);

/// As `unmask`, and tells in the same pass whether every byte of the result is ASCII.
bool unmask_ascii(char* data, size_t size, MaskKey key, size_t phase = 0);

/// As `unmask`, and gives the result to `text` while it is in the first-level cache; blocks of pure ASCII are
/// not read twice. False when the text is invalid; then the rest of `data` may still be masked.
bool unmask_text(char* data, size_t size, MaskKey key, size_t phase, Utf8Validator& text);

}  // namespace sluice::websocket
