#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/http/http1_response.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/seam/payload.h"

namespace sluice {

struct Connection;

/// Writes responses to the clients of one version of HTTP. It remembers nothing: what is to be known of a
/// response that has begun, its HttpExchange keeps.
class ResponseWriter {
  public:
    /// What follows from how a response began.
    struct Begun {
        bool chunked;     ///< its pieces are framed
        bool keep_alive;  ///< a further request may come on this connection
    };

    /// An interim response (1xx) to a request of this minor version.
    virtual void inform(Connection& self, uint16_t status, std::string_view field_lines,
                        uint8_t version_minor) const = 0;
    /// `has_more`: bytes of a body come now or later.
    virtual Begun begin(Connection& self, const http1::ResponseHead& head, std::string_view date,
                        bool has_more) const = 0;
    /// `size` bytes of the body, more than 0: those of `payload` if there is one, else `bytes`.
    virtual void write(Connection& self, uint64_t size, std::string_view bytes, Ref<Payload> payload,
                       bool chunked) const = 0;
    /// The body is complete. `trailer_lines` may be empty.
    virtual void end(Connection& self, std::string_view trailer_lines, bool chunked) const = 0;
    /// The answer to a WebSocket's handshake; returns its status.
    virtual uint16_t grant_websocket(Connection& self, std::string_view key, std::string_view protocol,
                                     std::string_view field_lines, std::string_view date) const = 0;

  protected:
    ~ResponseWriter() = default;
};

}  // namespace sluice
