#include "server/observer/json_text.h"

#include <cstdio>

#include "core/utf8.h"

namespace sluice {

std::string json_text(std::string_view text) {
    const bool is_text = is_utf8(text);
    std::string json = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            json += '\\';
            json += c;
        } else if (byte < 0x20) {
            char escaped[8];
            snprintf(escaped, sizeof escaped, "\\u%04x", byte);
            json += escaped;
        } else if (byte >= 0x80 && !is_text) {
            json += "\xef\xbf\xbd";
        } else {
            json += c;
        }
    }
    return json + '"';
}

}  // namespace sluice
