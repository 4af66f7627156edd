#include "server/sessions/http1_writer.h"

#include "server/reactor/connection.h"

namespace sluice {

const Http1Writer& Http1Writer::shared() {
    static const Http1Writer writer;
    return writer;
}

void Http1Writer::inform(Connection& self, uint16_t status, std::string_view field_lines,
                         uint8_t version_minor) const {
    if (status == 100) {
        self.out.append(http1::kContinue);
        return;
    }
    if (version_minor == 0) return;  // RFC 9110 15.2: HTTP/1.0 has no 1xx
    http1::ResponseHead head;
    head.status = status;
    head.fields = field_lines;
    char* place = self.out.reserve(http1::head_bound(head));
    self.out.advance(http1::write_head(head, {}, {place, http1::head_bound(head)}));
}

ResponseWriter::Begun Http1Writer::begin(Connection& self, const http1::ResponseHead& head,
                                         std::string_view date, bool) const {
    char* place = self.out.reserve(http1::head_bound(head));
    self.out.advance(http1::write_head(head, date, {place, http1::head_bound(head)}));
    return {http1::uses_chunks(head), http1::stays_open(head)};
}

void Http1Writer::write(Connection& self, uint64_t size, std::string_view bytes, Ref<Payload> payload,
                        bool chunked) const {
    if (chunked) {
        char head[http1::kChunkHeadBound];
        self.out.append({head, http1::write_chunk_head(size, head)});
    }
    if (payload) {
        self.out.append(std::move(payload));
    } else {
        self.out.append(bytes);
    }
    if (chunked) self.out.append(http1::kChunkEnd);
}

void Http1Writer::end(Connection& self, std::string_view trailer_lines, bool chunked) const {
    if (!chunked) return;
    self.out.append(http1::kTrailersFollow);
    self.out.append(trailer_lines);
    self.out.append(http1::kTrailersEnd);
}

uint16_t Http1Writer::grant_websocket(Connection& self, std::string_view key, std::string_view protocol,
                                      std::string_view field_lines, std::string_view) const {
    self.out.append(websocket::switching_protocols_response(key, protocol, field_lines));
    return 101;
}

}  // namespace sluice
