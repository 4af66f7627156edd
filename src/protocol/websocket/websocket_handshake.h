#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::websocket {

/// What a handshake is decided on. A view is empty when the request has no such field; the values of a field
/// that came several times are joined by a comma (so a second key, host or version is found out and refused).
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
    std::string sentence;  // what was wrong, for the body and the log
};

/// Whether the Upgrade field names "websocket", so that the request is to be taken as a handshake at all.
bool asks_for_websocket(std::string_view upgrade);

/// Nothing when the request is a valid handshake (RFC 6455 section 4.2.1), else how to refuse it. Whether the
/// path and the Origin are welcome is not decided here.
std::optional<HandshakeRefusal> check_handshake(const HandshakeRequest& request);

/// Whether the client's Sec-WebSocket-Protocol field offers `name`. A server may only answer with one it
/// offers.
bool offers_protocol(std::string_view protocols, std::string_view name);

/// A number by which two processes that know the same names mean the same one; 0 for the empty name only.
uint32_t protocol_number(std::string_view name);

/// Sec-WebSocket-Accept for a valid Sec-WebSocket-Key.
std::string accept_key(std::string_view key);

/// The complete response that accepts. `protocol` is empty, or one that `offers_protocol()`; `more_fields`
/// holds whole header lines, each ended by CRLF, which the caller has checked.
std::string switching_protocols_response(std::string_view key, std::string_view protocol = {},
                                         std::string_view more_fields = {});

/// Lines that go with the refusal of a version: RFC 6455 section 4.4 wants the right one named, and RFC 9110
/// section 15.5.22, of a 426, the protocol in Upgrade.
inline constexpr std::string_view kVersionField = "sec-websocket-version: 13\r\n";
inline constexpr std::string_view kUpgradeFields =
    "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n";

}  // namespace sluice::websocket
