#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/tls_options.h"
#include "protocol/framing/tcp_framing.h"
#include "protocol/http/error_page.h"
#include "protocol/http/forwarded.h"
#include "protocol/websocket/deflate_policy.h"
#include "server/config/access_log_options.h"
#include "server/config/choices.h"
#include "server/config/protocol_limits.h"
#include "server/config/script_pool.h"
#include "server/config/websocket_rules.h"

namespace sluice {

/// Begins the address of a UDP listener.
inline constexpr std::string_view kUdpPrefix = "udp:";

/// A listener (HTTP, TCP, UDP), or a route on the HTTP listener of the same address: for WebSockets, or for
/// requests.
struct EndpointSpec {
    /// For `concurrency_of`: this endpoint itself, whose place is not known yet.
    static constexpr uint16_t kItself = UINT16_MAX;

    EndpointKind kind = EndpointKind::kHttp;
    std::string address;   ///< kUdp: behind kUdpPrefix, for TCP has ports of its own
    std::string path;      ///< of a route, its http::RoutePattern; empty: a listener
    tcp::Framing framing;  ///< kTcp
    Dispatch dispatch = Dispatch::kLeastBusy;
    websocket::DeflatePolicy compression = {};         ///< kWebSocket
    std::optional<TlsOptions> tls = std::nullopt;      ///< of a listener
    WebSocketRules websocket = {};                     ///< kWebSocket
    uint16_t socket_mode = 0660;                       ///< permissions of a Unix socket's file
    SlowClient slow_client = SlowClient::kDropNewest;  ///< kWebSocket, kTcp
    http::TrustedProxies proxies = {};                 ///< of a listener, and of the routes on it
    std::string method = {};                           ///< of a route for requests; empty: every one
    bool has_handler = true;           ///< kHttp: false for a listener that has nothing but routes
    bool http1 = true;                 ///< kHttp: HTTP/1.1 and 1.0 are spoken
    bool http2 = true;                 ///< kHttp: HTTP/2 is spoken
    bool cancel_on_disconnect = true;  ///< kHttp: a handler whose client goes away is cancelled
    uint32_t concurrency = 0;          ///< kHttp: requests that a worker handles at a time; 0: any number
    uint32_t processes = 0;            ///< kHttp: the most at a time, one a request; 0: workers handle it
    uint16_t processes_of = 0;         ///< kHttp: the endpoint that `processes` belong to
    bool runs_scripts = false;         ///< kHttp: `processes` serve scripts, one request after the other
    ScriptPool script_pool = {};       ///< kHttp: when it `runs_scripts`
    uint16_t concurrency_of = 0;       ///< kHttp: the endpoint that `concurrency` is counted for
    bool classic = false;              ///< kHttp: workers give each request PHP's superglobals and output
    bool stream_bodies = false;        ///< kHttp: a handler is called before its request's body is complete
    std::optional<AccessLogOptions> access_log = std::nullopt;  ///< kHttp
    /// Of a listener, and of its routes without error pages of their own; nullptr: the server's.
    std::shared_ptr<const http::ErrorPages> error_pages = nullptr;

    ProtocolLimits limits = {};

    /// The longest message or body of a request that is received into the arena.
    uint64_t longest_in_arena(uint64_t temporary_file_bytes) const;
    /// Limits of what waits for its clients; a site's hold for all of its routes for requests. Not for UDP.
    const SendLimits& sending() const {
        if (kind == EndpointKind::kWebSocket) return limits.websocket.sending;
        return kind == EndpointKind::kTcp ? limits.tcp.sending : limits.http.sending;
    }
    /// Whether a handler that has begun is cancelled when its client goes away. A script in a process of its
    /// own is not: PHP itself asks for the client, as the script wants it (ignore_user_abort()).
    bool cancels_begun() const { return cancel_on_disconnect && !(runs_scripts && processes > 0); }
    bool is_listener() const { return path.empty(); }
};

}  // namespace sluice
