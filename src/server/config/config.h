#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tls_context.h"
#include "protocol/http/forwarded.h"
#include "protocol/framing/tcp_framing.h"
#include "protocol/websocket/websocket_deflate.h"
#include "protocol/websocket/websocket_origin.h"
#include "server/sessions/access_log.h"
#include "server/config/limits.h"

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

/// The address of a UDP listener begins with it.
inline constexpr std::string_view kUdpPrefix = "udp:";

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

/// A listener (HTTP, TCP), or a WebSocket route on the HTTP listener of the same address.
struct EndpointSpec {
    EndpointKind kind = EndpointKind::kHttp;
    std::string address;   ///< kUdp: behind kUdpPrefix, for its ports are not those of TCP
    std::string path;      ///< kWebSocket
    tcp::Framing framing;  ///< kTcp
    Dispatch dispatch = Dispatch::kLeastBusy;
    websocket::DeflatePolicy compression = {};     ///< kWebSocket
    std::optional<TlsOptions> tls = std::nullopt;  ///< of a listener
    WebSocketRules websocket = {};                 ///< kWebSocket
    uint16_t socket_mode = 0660;                   ///< permissions of a Unix socket's file
    uint32_t request_ms = 0;  ///< kHttp: for a response to begin, from its request's dispatch; 0: none
    SlowClient slow_client = SlowClient::kDropNewest;  ///< kWebSocket, kTcp
    http::TrustedProxies proxies = {};                 ///< of a listener, and of the routes on it
    bool http2 = true;                                 ///< kHttp: is spoken beside HTTP/1.1
    bool cancel_on_disconnect = true;  ///< kHttp: a handler whose client goes away is cancelled
    bool stream_bodies = false;        ///< kHttp: a handler is called before its request's body is complete
    std::optional<AccessLogOptions> access_log = std::nullopt;  ///< kHttp
};

/// What one boot of the script asks for.
struct ServerConfig {
    Mode mode = Mode::kProcess;
    unsigned workers = 1;
    unsigned reactors = 1;
    Limits limits;
    std::string pid_file;
    std::string log_file;
    std::string temporary_folder;  ///< for bodies of requests
    std::string script;            ///< for process titles and the banner
    std::vector<EndpointSpec> endpoints;
};

}  // namespace sluice
