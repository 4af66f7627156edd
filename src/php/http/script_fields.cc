#include "php/http/script_fields.h"

#include "protocol/http/http_syntax.h"

namespace sluice::php {

ScriptField field_in(const sapi_header_struct& header) {
    const std::string_view line(header.header, header.header_len);
    const size_t colon = line.find(':');
    if (colon == line.npos) return {};
    return {http::trim_blanks(line.substr(0, colon)), http::trim_blanks(line.substr(colon + 1))};
}

bool is_field_of_script(std::string_view name, std::string_view value) {
    for (const std::string_view left_out :
         {"connection", "transfer-encoding", "upgrade", "keep-alive", "date", "content-length"})
        if (http::equals_caseless(name, left_out)) return false;
    return http::is_token(name) && http::is_field_value(value);
}

}  // namespace sluice::php
