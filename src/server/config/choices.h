#pragma once

#include <cstdint>

// Choices that a script makes for its server and its endpoints.

namespace sluice {

enum class Mode : uint8_t { kProcess, kBase };
enum class Dispatch : uint8_t { kLeastBusy, kSticky };
/// What becomes of a message for a slow client, whose queue is full (SendLimits).
enum class SlowClient : uint8_t {
    kWait,        ///< the sending coroutine waits; dropped where no coroutine can
    kDropNewest,  ///< the message is dropped
    kDropOldest,  ///< WebSocket: the oldest messages not begun make room for it
    kClose,       ///< the connection is closed, a WebSocket with 1013
};
enum class EndpointKind : uint8_t { kHttp, kWebSocket, kTcp, kUdp };

}  // namespace sluice
