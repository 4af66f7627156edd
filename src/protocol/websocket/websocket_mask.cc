#include "protocol/websocket/websocket_mask.h"

#include <algorithm>
#include <cstring>

namespace sluice::websocket {
namespace {

/// Small enough that a block is still in the first-level cache when it is validated after unmasking.
constexpr size_t kTextBlockBytes = 4096;

/// The compiler's portable vector type: SSE2 on x86-64, NEON on ARM.
using Lanes [[gnu::vector_size(16)]] = uint64_t;
constexpr size_t kStride = 4 * sizeof(Lanes);

Lanes load(const char* at) {
    Lanes value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

void store(char* at, Lanes value) {
    std::memcpy(at, &value, sizeof value);
}

/// With `kWatch` returns whether all bytes became ASCII, else true.
template <bool kWatch>
bool apply(char* data, size_t size, MaskKey key, size_t phase) {
    std::rotate(key.begin(), key.begin() + (phase & 3), key.end());
    uint32_t word;
    std::memcpy(&word, key.data(), sizeof word);
    const uint64_t twice = uint64_t{word} << 32 | word;
    const Lanes keys = {twice, twice};

    Lanes seen = {0, 0};
    while (size >= kStride) {
        const Lanes a = load(data) ^ keys;
        const Lanes b = load(data + 16) ^ keys;
        const Lanes c = load(data + 32) ^ keys;
        const Lanes d = load(data + 48) ^ keys;
        store(data, a);
        store(data + 16, b);
        store(data + 32, c);
        store(data + 48, d);
        if constexpr (kWatch) seen |= (a | b) | (c | d);
        data += kStride;
        size -= kStride;
    }
    uint64_t rest_seen = seen[0] | seen[1];
    while (size >= sizeof twice) {
        uint64_t value;
        std::memcpy(&value, data, sizeof value);
        value ^= twice;
        std::memcpy(data, &value, sizeof value);
        rest_seen |= value;
        data += sizeof value;
        size -= sizeof value;
    }
    for (size_t i = 0; i < size; ++i) {
        const uint8_t byte = static_cast<uint8_t>(data[i]) ^ key[i & 3];
        data[i] = static_cast<char>(byte);
        rest_seen |= byte;
    }
    return !kWatch || (rest_seen & 0x8080808080808080u) == 0;
}

}  // namespace

void unmask(char* data, size_t size, MaskKey key, size_t phase) {
    apply<false>(data, size, key, phase);
}

bool unmask_ascii(char* data, size_t size, MaskKey key, size_t phase) {
    return apply<true>(data, size, key, phase);
}

bool unmask_text(char* data, size_t size, MaskKey key, size_t phase, Utf8Validator& text) {
    while (size != 0) {
        const size_t block = std::min(size, kTextBlockBytes);
        const bool ascii = apply<true>(data, block, key, phase);
        // ASCII that interrupts a character begun earlier is invalid, too: leave it to the validator.
        if (!(ascii && text.complete()) && !text.accept(data, block)) return false;
        data += block;
        size -= block;
        phase += block;
    }
    return true;
}

}  // namespace sluice::websocket
