#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/websocket/websocket_origin.h"

namespace sluice {

/// What a WebSocket route asks of its clients.
struct WebSocketRules {
    std::vector<std::string> protocols;  ///< sub-protocols, the most wanted first
    websocket::OriginPolicy origins;
    bool asks_handler = false;   ///< the application decides on each handshake
    bool wants_pongs = false;    ///< and is told of answers to pings
    uint32_t ping_every_ms = 0;  ///< 0: never
    uint32_t pong_within_ms = 0;

    bool operator==(const WebSocketRules&) const = default;
};

}  // namespace sluice
