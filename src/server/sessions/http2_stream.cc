#include "server/sessions/http2_stream.h"

#include <string>

#include "server/sessions/http2_carrier.h"

namespace sluice {

Http2Stream::~Http2Stream() {
    if (carrier) carrier->let_go(*this, http2::ErrorCode::kInternal);
}

void Http2Stream::inform(uint16_t status, std::string_view field_lines) {
    if (carrier) carrier->server().inform(number, status, field_lines);
}

void Http2Stream::respond(uint16_t status, std::string_view date, std::string_view field_lines,
                          std::optional<uint64_t> length, bool has_body) {
    if (carrier) carrier->server().respond(number, status, date, field_lines, length, has_body);
}

void Http2Stream::refuse(Connection& self, uint16_t status, std::string_view reason, std::string_view date,
                         std::string_view field_lines, bool is_head) {
    std::string fields = "content-type: text/plain; charset=utf-8\r\n";
    fields += field_lines;
    respond(status, date, fields, reason.size() + 1, !is_head);
    if (is_head) return;
    self.out.append(reason);
    self.out.append("\n");
}

void Http2Stream::set_trailers(std::string_view field_lines) {
    if (carrier) carrier->server().set_trailers(number, field_lines);
}

}  // namespace sluice
