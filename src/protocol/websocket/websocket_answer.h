#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/websocket/websocket_deflate.h"

namespace sluice::websocket {

/// What a client has asked for in its handshake.
struct HandshakeOffer {
    std::string_view key;        ///< Sec-WebSocket-Key
    std::string_view protocols;  ///< Sec-WebSocket-Protocol; empty: none
    bool deflate = false;        ///< whether it had kDeflateOffer
};

/// The longest head of a response that a client has to take.
inline constexpr size_t kMaxAnswerBytes = 16 * 1024;

struct HandshakeAnswer {
    int status = 0;                            ///< 0 when the first line is no status line
    std::string refusal;                       ///< why the handshake failed, a sentence; or empty
    std::string protocol;                      ///< the sub-protocol that the server has chosen
    std::optional<DeflateParameters> deflate;  ///< the compression of both ends
};

/// Reads the head of the server's response, up to and including the empty line, and checks it as a client has
/// to (RFC 6455 section 4.1).
HandshakeAnswer read_answer(std::string_view head, const HandshakeOffer& offer);

}  // namespace sluice::websocket
