#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/http/http1_response.h"
#include "protocol/websocket/websocket_handshake.h"
#include "server/seam/payload.h"

namespace sluice {

struct Connection;

/// Writes responses of one version of HTTP. It has no state: HttpExchange keeps that of a
/// response.
class ResponseWriter {
  public:
    /// How a response goes on after its head.
    struct Begun {
        bool chunked;     ///< the body's pieces are framed as chunks
        bool keep_alive;  ///< a further request may come on this connection
    };

    /// Writes an interim response (1xx) to a request of this minor version.
    virtual void inform(Connection& self, uint16_t status, std::string_view field_lines,
                        uint8_t version_minor) const = 0;
    /// Writes the head. `has_more`: bytes of a body follow, now or later.
    virtual Begun begin(Connection& self, const http1::ResponseHead& head, std::string_view date,
                        bool has_more) const = 0;
    /// Writes `size` bytes of the body, more than 0: those of `payload` if it is set, else `bytes`.
    virtual void write(Connection& self, uint64_t size, std::string_view bytes, Ref<Payload> payload,
                       bool chunked) const = 0;
    /// Ends the body. `trailer_lines` may be empty.
    virtual void end(Connection& self, std::string_view trailer_lines, bool chunked) const = 0;
    /// Accepts a WebSocket's handshake; returns the status.
    virtual uint16_t grant_websocket(Connection& self, std::string_view key, std::string_view protocol,
                                     std::string_view field_lines, std::string_view date) const = 0;

  protected:
    ~ResponseWriter() = default;
};

}  // namespace sluice
