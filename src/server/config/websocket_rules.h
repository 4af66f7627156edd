#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/websocket/websocket_origin.h"

namespace sluice {

/// The rules of a WebSocket route for its clients.
struct WebSocketRules {
    std::vector<std::string> protocols;  ///< sub-protocols, the most wanted first
    websocket::OriginPolicy origins;
    bool asks_handler = false;   ///< the application decides on each handshake
    bool wants_pongs = false;    ///< the application is told of pongs
    uint32_t ping_every_ms = 0;  ///< 0: never
    uint32_t pong_within_ms = 0;

    bool operator==(const WebSocketRules&) const = default;
};

}  // namespace sluice
