#include "php/http/script_fields.h"

#include <charconv>

#include "core/log.h"
#include "protocol/http/http_syntax.h"

namespace sluice::php {

ScriptField field_in(const sapi_header_struct& header) {
    const std::string_view line(header.header, header.header_len);
    const size_t colon = line.find(':');
    if (colon == line.npos) return {};
    return {http::trim_blanks(line.substr(0, colon)), http::trim_blanks(line.substr(colon + 1))};
}

uint16_t status_of_script(const sapi_headers_struct& said) {
    int status = said.http_response_code;
    for (const zend_llist_element* element = said.headers.head; element; element = element->next) {
        const ScriptField field = field_in(*reinterpret_cast<const sapi_header_struct*>(element->data));
        if (http::equals_caseless(field.name, "status"))
            std::from_chars(field.value.data(), field.value.data() + field.value.size(), status);
    }
    if (status >= 200 && status <= 599) return static_cast<uint16_t>(status);
    SLUICE_WARNING(
        "A script has set the status %d, and 500 is sent: a response has a status between 200 and 599",
        status);
    return 500;
}

bool is_field_of_script(std::string_view name, std::string_view value) {
    for (const std::string_view left_out :
         {"connection", "transfer-encoding", "upgrade", "keep-alive", "date", "content-length", "status"})
        if (http::equals_caseless(name, left_out)) return false;
    return http::is_token(name) && http::is_field_value(value);
}

}  // namespace sluice::php
