#pragma once

#include <string_view>

// clang-format off
#include "php/zend/php_api.h"
#include <SAPI.h>
// clang-format on

namespace sluice::php {

/// Whether a field of header() is the script's to set. The server sets some by itself, and header() accepts
/// malformed ones, which are left out.
bool is_field_of_script(std::string_view name, std::string_view value);

/// Calls `f` with the name and the value of each field that header(), or a part of PHP, has set, and at last
/// with PHP's own Content-Type when it is to be sent.
template <typename F>
void for_each_field_of_script(const sapi_headers_struct& said, F&& f);

/// The status that a script's response gets: that of a field `Status`, as web servers take it from FastCGI,
/// or else that of header() and http_response_code(). What no response can have becomes 500, and is logged.
uint16_t status_of_script(const sapi_headers_struct& said);

/// A field of header(): its name, and its value. Empty when the line is none.
struct ScriptField {
    std::string_view name, value;
};
ScriptField field_in(const sapi_header_struct& header);

template <typename F>
void for_each_field_of_script(const sapi_headers_struct& said, F&& f) {
    for (const zend_llist_element* element = said.headers.head; element; element = element->next) {
        const ScriptField field = field_in(*reinterpret_cast<const sapi_header_struct*>(element->data));
        if (is_field_of_script(field.name, field.value)) f(field.name, field.value);
    }
    if (!said.send_default_content_type) return;
    char* const type = sapi_get_default_content_type();
    if (*type) f(std::string_view("Content-Type"), std::string_view(type));
    efree(type);
}

}  // namespace sluice::php
