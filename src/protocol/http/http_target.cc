#include "protocol/http/http_target.h"

#include <string_view>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace target {

namespace {

constexpr std::array<uint8_t, 256> make_classes() {
    std::array<uint8_t, 256> table{};
    auto add = [&table](std::string_view bytes, uint8_t classes) {
        for (char c : bytes)
            table[static_cast<uint8_t>(c)] |= classes;
    };
    add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", kInPath | kInQuery);
    add("-._~!$&'()*+,;=:@/%", kInPath | kInQuery);
    add("[]|^", kInPath | kInQuery);
    add("?{}`\\", kInQuery);
    return table;
}

}  // namespace

constexpr std::array<uint8_t, 256> kClasses = make_classes();

}  // namespace target

namespace {

Span16 span(size_t offset, size_t length) {
    return {static_cast<uint16_t>(offset), static_cast<uint16_t>(length)};
}

/// Whether each '%' is followed by two digits, and no escape is a byte that would cut a string or a line in
/// two once the path is decoded.
bool is_safely_encoded(std::string_view path) {
    while (true) {
        const size_t percent = path.find('%');
        if (percent == path.npos) return true;
        path.remove_prefix(percent);
        if (path.size() < 3) return false;
        const int high = hex_value(path[1]);
        const int low = hex_value(path[2]);
        if (high < 0 || low < 0) return false;
        const int byte = high << 4 | low;
        if (byte == 0 || byte == '\r' || byte == '\n') return false;
        path.remove_prefix(3);
    }
}

/// Length of "http://" or "https://" at the start of the target, or 0.
size_t scheme_length(std::string_view target) {
    if (equals_caseless(target.substr(0, 7), "http://")) return 7;
    if (equals_caseless(target.substr(0, 8), "https://")) return 8;
    return 0;
}

bool has_port(std::string_view authority) {
    const size_t colon = authority.rfind(':');
    return colon != authority.npos && colon + 1 != authority.size() && authority.back() != ']';
}

}  // namespace

const char* resolve_target(const char* base, RequestHead& head) {
    const std::string_view target = head.target.in(base);
    if (target.empty()) return "The request line has no target, or more than one space before it.";
    if (head.method == Method::kConnect) {
        if (!is_authority(target) || !has_port(target)) return "The target of CONNECT has to be host:port.";
        head.host = head.target;
        return nullptr;
    }
    if (target == "*") {
        if (head.method != Method::kOptions) return "Only OPTIONS may have the target *.";
        head.path = head.target;
        return nullptr;
    }
    const size_t query_bytes = head.query.offset == 0 ? 0 : head.query.length + 1u;
    size_t path_start = 0;
    size_t path_length = target.size() - query_bytes;
    if (target.front() != '/') {
        const size_t authority_start = scheme_length(target);
        if (authority_start == 0) return "The request target is neither a path nor an http or https URI.";
        path_start = target.find_first_of("/?", authority_start);
        if (path_start == target.npos) path_start = target.size();
        head.host = span(head.target.offset + authority_start, path_start - authority_start);
        if (!is_authority(head.host.in(base))) return "The request target has no valid host.";
        path_length -= path_start;
        if (path_length == 0) {
            // An empty path means "/": let it point at the last byte of "http://".
            path_start = authority_start - 1;
            path_length = 1;
        }
    }
    head.path = span(head.target.offset + path_start, path_length);
    if (!is_safely_encoded(head.path.in(base))) {
        return "The path has a % without two hexadecimal digits, or an encoded NUL, CR or LF.";
    }
    return nullptr;
}

}  // namespace sluice::http
