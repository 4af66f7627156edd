#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// A WebSocket's state while pings are sent to its client.
struct Heartbeat {
    uint32_t every_ms = 0;   ///< 0: only the application pings
    uint32_t within_ms = 0;  ///< how long after a ping something must come from the client
    uint64_t ping_at_ms = 0;
    uint64_t pong_due_ms = 0;  ///< 0: none of our own pings is unanswered
    uint64_t sent_us = 0;      ///< when the last ping was sent; 0: it was answered
    std::string payload;       ///< of the last ping
    bool heard = false;        ///< bytes have come since our last ping

    /// Its next deadline, or `due_ms` when that is earlier; 0: never.
    uint64_t first_of(uint64_t due_ms) const {
        for (const uint64_t own_ms : {every_ms ? ping_at_ms : 0, pong_due_ms}) {
            if (own_ms && (!due_ms || own_ms < due_ms)) due_ms = own_ms;
        }
        return due_ms;
    }
};

}  // namespace sluice
