#include "protocol/websocket/websocket_origin.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "protocol/http/http_syntax.h"

namespace sluice::websocket {

namespace {

struct Parts {
    std::string_view scheme;
    std::string_view host;
    std::string_view port;  ///< as digits, by default the scheme's port
};

std::string_view own_port(std::string_view scheme) {
    if (http::equals_caseless(scheme, "https") || http::equals_caseless(scheme, "wss")) return "443";
    if (http::equals_caseless(scheme, "http") || http::equals_caseless(scheme, "ws")) return "80";
    return {};
}

bool is_scheme(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    });
}

bool is_host(std::string_view text) {
    if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
        return text.find_first_not_of("0123456789abcdefABCDEF:.", 1) == text.size() - 1;
    }
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '.' || c == '_';
    });
}

/// Takes `host`, `host:port` and `[v6]:port` apart.
bool split_authority(std::string_view authority, Parts& parts) {
    size_t colon = authority.rfind(':');
    if (colon != authority.npos && authority.find(']', colon) != authority.npos) colon = authority.npos;
    parts.host = authority.substr(0, colon);
    parts.port = own_port(parts.scheme);
    if (colon == authority.npos) return true;
    parts.port = authority.substr(colon + 1);
    return !parts.port.empty() && parts.port.size() <= 5 &&
           parts.port.find_first_not_of("0123456789") == parts.port.npos;
}

std::optional<Parts> split(std::string_view origin) {
    const size_t at = origin.find("://");
    if (at == origin.npos) return std::nullopt;
    Parts parts;
    parts.scheme = origin.substr(0, at);
    if (!is_scheme(parts.scheme) || !split_authority(origin.substr(at + 3), parts)) return std::nullopt;
    return parts;
}

bool same_place(const Parts& one, const Parts& other) {
    return http::equals_caseless(one.scheme, other.scheme) && one.port == other.port;
}

bool ends_with_caseless(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && http::equals_caseless(text.substr(text.size() - end.size()), end);
}

bool matches(const Parts& origin, std::string_view pattern) {
    const std::optional<Parts> parts = split(pattern);
    if (!parts || !same_place(origin, *parts)) return false;
    if (!parts->host.starts_with("*.")) return http::equals_caseless(origin.host, parts->host);
    const std::string_view end = parts->host.substr(1);
    return origin.host.size() > end.size() && ends_with_caseless(origin.host, end);
}

}  // namespace

bool is_origin_pattern(std::string_view text) {
    if (text == "null") return true;
    std::optional<Parts> parts = split(text);
    if (!parts) return false;
    if (parts->host.starts_with("*.")) parts->host.remove_prefix(2);
    return is_host(parts->host);
}

bool OriginPolicy::allows(std::string_view origin, std::string_view host, bool secure) const {
    if (!enabled) return true;
    if (origin.empty()) return without_origin;
    // A sandboxed page sends "null", which does not tell whose page it is.
    if (origin == "null") return std::find(allowed.begin(), allowed.end(), origin) != allowed.end();
    const std::optional<Parts> parts = split(origin);
    if (!parts || !is_host(parts->host)) return false;
    if (same_origin) {
        Parts own;
        own.scheme = secure ? "https" : "http";
        if (split_authority(host, own) && same_place(*parts, own) &&
            http::equals_caseless(parts->host, own.host)) {
            return true;
        }
    }
    return std::any_of(allowed.begin(), allowed.end(),
                       [&](const std::string& pattern) { return matches(*parts, pattern); });
}

}  // namespace sluice::websocket
