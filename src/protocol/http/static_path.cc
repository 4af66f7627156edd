#include "protocol/http/static_path.h"

#include "protocol/http/http_syntax.h"

namespace sluice::http {

std::optional<std::string_view> static_path(std::string_view path, std::string_view prefix, char* out) {
    if (!path.starts_with(prefix)) return std::nullopt;
    path.remove_prefix(prefix.size());
    char* at = out;
    char* segment = out;
    for (size_t i = 0; i < path.size(); ++i) {
        char c = path[i];
        if (c == '/') {
            if (at == segment) return std::nullopt;
            *at++ = c;
            segment = at;
            continue;
        }
        if (c == '%') {
            if (i + 2 >= path.size()) return std::nullopt;
            const int high = hex_value(path[i + 1]), low = hex_value(path[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high << 4 | low);
            i += 2;
            if (c == '/') return std::nullopt;
        }
        if (c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
        *at++ = c;
    }
    const std::string_view decoded(out, static_cast<size_t>(at - out));
    // Checked after decoding, as a dot may have been encoded.
    for (size_t begin = 0; begin < decoded.size();) {
        size_t end = decoded.find('/', begin);
        if (end == decoded.npos) end = decoded.size();
        const std::string_view one = decoded.substr(begin, end - begin);
        if (one.starts_with('.') && !(begin == 0 && one == ".well-known")) return std::nullopt;
        begin = end + 1;
    }
    return decoded;
}

}  // namespace sluice::http
