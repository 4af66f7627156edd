#include "php/http/response_fields.h"

#include <algorithm>
#include <cstring>

#include "protocol/http/http_syntax.h"

namespace sluice::php {

void remove_field(ResponseObject* self, std::string_view name) {
    if (!self->fields.s) return;
    char* const text = ZSTR_VAL(self->fields.s);
    std::string_view rest = view(self->fields.s);
    size_t kept = 0;
    while (!rest.empty()) {
        const size_t size = rest.find('\n') + 1;
        const std::string_view line = rest.substr(0, size);
        rest.remove_prefix(size);
        if (http::equals_caseless(line.substr(0, line.find(':')), name)) continue;
        memmove(text + kept, line.data(), size);
        kept += size;
    }
    ZSTR_LEN(self->fields.s) = kept;
}

bool has_field(const ResponseObject* self, std::string_view name) {
    std::string_view rest = self->fields.s ? view(self->fields.s) : std::string_view();
    while (!rest.empty()) {
        if (http::equals_caseless(rest.substr(0, rest.find(':')), name)) return true;
        rest.remove_prefix(rest.find('\n') + 1);
    }
    return false;
}

std::string_view field_value(const ResponseObject* self, std::string_view name) {
    std::string_view rest = self->fields.s ? view(self->fields.s) : std::string_view();
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\r'));
        const size_t colon = line.find(':');
        if (http::equals_caseless(line.substr(0, colon), name))
            return http::trim_blanks(line.substr(colon + 1));
        rest.remove_prefix(rest.find('\n') + 1);
    }
    return {};
}

void append_field(ResponseObject* self, std::string_view name, std::string_view value) {
    smart_str_appendl(&self->fields, name.data(), name.size());
    smart_str_appendl(&self->fields, ": ", 2);
    smart_str_appendl(&self->fields, value.data(), value.size());
    smart_str_appendl(&self->fields, "\r\n", 2);
}

void add_vary(ResponseObject* self) {
    const std::string_view vary = field_value(self, "vary");
    if (vary == "*" || http::list_has_token(vary, "accept-encoding")) return;
    append_field(self, "Vary", "Accept-Encoding");
}

bool check_field(std::string_view name, std::string_view value) {
    if (!http::is_token(name)) {
        zend_argument_value_error(1, "must be a token: letters, digits and !#$%%&'*+-.^_`|~, \"%.*s\" given",
                                  static_cast<int>(std::min<size_t>(name.size(), 200)), name.data());
        return false;
    }
    if (!http::is_field_value(value)) {
        zend_argument_value_error(2, "must not hold CR, LF, NUL or another control character");
        return false;
    }
    for (const std::string_view reserved : {"connection", "transfer-encoding", "upgrade", "keep-alive"}) {
        if (!http::equals_caseless(name, reserved)) continue;
        zend_argument_value_error(1, "must not be \"%s\": the server decides about the connection",
                                  reserved.data());
        return false;
    }
    return true;
}

}  // namespace sluice::php
