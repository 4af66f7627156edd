#pragma once

#include <cstdint>

// What a script chooses among for its server and its endpoints.

namespace sluice {

enum class Mode : uint8_t { kProcess, kBase };
enum class Dispatch : uint8_t { kLeastBusy, kSticky };
/// What becomes of a message for a client that is behind: more is queued for it than Limits allow.
enum class SlowClient : uint8_t {
    kWait,        ///< who sends waits, in its coroutine; what nobody can wait for is dropped
    kDropNewest,  ///< the message is dropped
    kDropOldest,  ///< of a WebSocket: the oldest ones that are not begun make room for it
    kClose,       ///< the connection is closed, a WebSocket with 1013
};
enum class EndpointKind : uint8_t { kHttp, kWebSocket, kTcp, kUdp };

}  // namespace sluice
