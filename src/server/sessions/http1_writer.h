#pragma once

#include "server/sessions/response_writer.h"

namespace sluice {

/// Writes responses of HTTP/1.1 to the connection's queue.
class Http1Writer final : public ResponseWriter {
  public:
    void inform(Connection& self, uint16_t status, std::string_view field_lines,
                uint8_t version_minor) const override;
    Begun begin(Connection& self, const http1::ResponseHead& head, std::string_view date,
                bool has_more) const override;
    void write(Connection& self, uint64_t size, std::string_view bytes, Ref<Payload> payload,
               bool chunked) const override;
    void end(Connection& self, std::string_view trailer_lines, bool chunked) const override;
    uint16_t grant_websocket(Connection& self, std::string_view key, std::string_view protocol,
                             std::string_view field_lines, std::string_view date) const override;

    static const Http1Writer& shared();
};

}  // namespace sluice
