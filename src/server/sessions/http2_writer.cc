#include "server/sessions/http2_writer.h"

#include <string>

#include "server/reactor/connection.h"
#include "server/sessions/http2_stream.h"

namespace sluice {

const Http2Writer& Http2Writer::shared() {
    static const Http2Writer writer;
    return writer;
}

void Http2Writer::inform(Connection& self, uint16_t status, std::string_view field_lines, uint8_t) const {
    stream_of(self).inform(status, field_lines);
}

ResponseWriter::Begun Http2Writer::begin(Connection& self, const http1::ResponseHead& head,
                                         std::string_view date, bool has_more) const {
    std::optional<uint64_t> length;
    if (head.framing == http1::Framing::kLength) length = head.length;
    stream_of(self).respond(head.status, date, head.fields, length, has_more);
    return {false, false};
}

void Http2Writer::write(Connection& self, uint64_t, std::string_view bytes, Ref<Payload> payload,
                        bool) const {
    if (payload) {
        self.out.append(std::move(payload));
    } else {
        self.out.append(bytes);
    }
}

void Http2Writer::end(Connection& self, std::string_view trailer_lines, bool) const {
    stream_of(self).set_trailers(trailer_lines);
}

uint16_t Http2Writer::grant_websocket(Connection& self, std::string_view, std::string_view protocol,
                                      std::string_view field_lines, std::string_view date) const {
    std::string fields(field_lines);
    if (!protocol.empty()) fields.append("sec-websocket-protocol: ").append(protocol).append("\r\n");
    stream_of(self).respond(200, date, fields, std::nullopt, true);
    return 200;
}

}  // namespace sluice
