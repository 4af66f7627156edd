#include "protocol/http/content_disposition.h"

#include <algorithm>

#include "core/utf8.h"

namespace sluice::http {

namespace {

bool is_alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Characters that every browser reads alike in a quoted string: some browsers decode percent signs there,
/// some do not know the backslash.
bool is_plain(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '%';
}

/// attr-char of RFC 8187.
bool is_attribute_char(char c) {
    return is_alphanumeric(c) || std::string_view("!#$&+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

bool is_file_name(std::string_view name) {
    if (name.empty() || name == "." || name == "..") return false;
    const bool clean = std::none_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\';
    });
    return clean && is_utf8(name);
}

size_t write_attachment(std::string_view name, char* out) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    char* at = out;
    const auto put = [&](std::string_view text) { at = std::copy(text.begin(), text.end(), at); };
    put("attachment; filename=\"");
    for (const char c : name) {
        // One underscore for each character, not each byte.
        if (is_plain(c)) {
            *at++ = c;
        } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
            *at++ = '_';
        }
    }
    *at++ = '"';
    if (!std::all_of(name.begin(), name.end(), is_plain)) {
        put("; filename*=UTF-8''");
        for (const char c : name) {
            if (is_attribute_char(c)) {
                *at++ = c;
            } else {
                *at++ = '%';
                *at++ = kHex[static_cast<unsigned char>(c) >> 4];
                *at++ = kHex[static_cast<unsigned char>(c) & 15];
            }
        }
    }
    return static_cast<size_t>(at - out);
}

}  // namespace sluice::http
