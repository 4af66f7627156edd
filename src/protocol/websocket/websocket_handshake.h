#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::websocket {

/// What decides on a handshake. A view is empty when the request has no such field; values of a repeated
/// field are joined by a comma (so that a second key, host or version is refused).
struct HandshakeRequest {
    std::string_view method;
    int http_major = 1;
    int http_minor = 1;
    std::string_view host;
    std::string_view upgrade;
    std::string_view connection;
    std::string_view key;         // Sec-WebSocket-Key
    std::string_view version;     // Sec-WebSocket-Version
    std::string_view protocols;   // Sec-WebSocket-Protocol
    std::string_view extensions;  // Sec-WebSocket-Extensions
    bool has_content = false;     // a Content-Length above 0, or any Transfer-Encoding
};

struct HandshakeRefusal {
    int status;            // 400 or 426
    std::string sentence;  // the fault, for the body and the log
};

/// Whether the Upgrade field names "websocket", so that the request is a handshake at all.
bool asks_for_websocket(std::string_view upgrade);

/// Nothing when the request is a valid handshake (RFC 6455 section 4.2.1), else how to refuse it. Does not
/// check the path and the Origin.
std::optional<HandshakeRefusal> check_handshake(const HandshakeRequest& request);

/// Whether the client's Sec-WebSocket-Protocol field offers `name`. A server may only answer with an offered
/// name.
bool offers_protocol(std::string_view protocols, std::string_view name);

/// A hash by which processes that know the same names refer to one of them; 0 for the empty name only.
uint32_t protocol_number(std::string_view name);

/// Sec-WebSocket-Accept for a valid Sec-WebSocket-Key.
std::string accept_key(std::string_view key);

/// The complete response that accepts. `protocol` is empty, or offered (`offers_protocol()`); `more_fields`
/// holds whole header lines, each with its CRLF, which the caller has checked.
std::string switching_protocols_response(std::string_view key, std::string_view protocol = {},
                                         std::string_view more_fields = {});

/// Lines of the response that refuses a version: RFC 6455 section 4.4 requires the supported one, and RFC
/// 9110 section 15.5.22 requires Upgrade in a 426.
inline constexpr std::string_view kVersionField = "sec-websocket-version: 13\r\n";
inline constexpr std::string_view kUpgradeFields =
    "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n";

}  // namespace sluice::websocket
