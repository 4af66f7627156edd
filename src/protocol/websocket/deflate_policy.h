#pragma once

#include <cstdint>

namespace sluice::websocket {

inline constexpr uint8_t kMaxWindowBits = 15;
/// The smallest window that zlib compresses with. RFC 7692 allows 8 as well, which zlib only inflates.
inline constexpr uint8_t kMinWindowBits = 9;

/// What a server is ready to agree to.
struct DeflatePolicy {
    bool enabled = false;
    bool server_takeover = false;  ///< keep our compressing context between messages, if the client lets us
    bool client_takeover = false;  ///< let the client keep its context, which costs us an inflating one
    uint8_t server_window_bits = kMaxWindowBits;  ///< largest window to compress with
    uint8_t client_window_bits = kMaxWindowBits;  ///< largest window to ask a client for, if allowed
    uint8_t level = 1;                            ///< 1 (fastest) to 9 (smallest)
    uint32_t min_bytes = 256;                     ///< shorter messages are sent as they are

    bool operator==(const DeflatePolicy&) const = default;
};

}  // namespace sluice::websocket
