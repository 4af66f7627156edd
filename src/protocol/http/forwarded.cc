#include "protocol/http/forwarded.h"

#include <algorithm>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

/// How many elements from the end of a list are read at most.
constexpr size_t kMostHops = 64;

struct Hop {
    std::string client, scheme, host;
};

/// All field lines of a name as one list (RFC 9110 5.3).
std::string join_lines(std::span<const Field> fields, std::string_view text, std::string_view name) {
    std::string joined;
    for (const Field& field : fields) {
        if (field.name.in(text.data()) != name) continue;
        if (!joined.empty()) joined += ',';
        joined += field.value.in(text.data());
    }
    return joined;
}

/// Cuts at `delimiter` outside of quoted strings, and calls f(piece) for each piece.
template <typename F>
void for_each_piece(std::string_view list, char delimiter, F&& f) {
    bool quoted = false;
    size_t start = 0;
    for (size_t at = 0; at < list.size(); ++at) {
        if (quoted && list[at] == '\\') {
            ++at;
        } else if (list[at] == '"') {
            quoted = !quoted;
        } else if (!quoted && list[at] == delimiter) {
            f(trim_blanks(list.substr(start, at - start)));
            start = at + 1;
        }
    }
    f(trim_blanks(list.substr(start)));
}

/// The value of a token or quoted string; nothing when the text is something else.
std::optional<std::string> read_value(std::string_view text) {
    if (is_token(text)) return std::string(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::string value;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"') return std::nullopt;
        if (text[at] == '\\' && ++at == text.size()) return std::nullopt;
        value += text[at];
    }
    return value;
}

/// Reads one element of Forwarded; nothing when it is malformed or has a parameter twice.
std::optional<Hop> read_element(std::string_view element) {
    Hop hop;
    bool good = true;
    for_each_piece(element, ';', [&](std::string_view pair) {
        if (pair.empty()) return;
        const size_t equals = pair.find('=');
        const std::string_view name = pair.substr(0, equals);
        std::optional<std::string> value;
        if (equals != pair.npos && is_token(name)) value = read_value(pair.substr(equals + 1));
        std::string* place = equals_caseless(name, "for")     ? &hop.client
                             : equals_caseless(name, "proto") ? &hop.scheme
                             : equals_caseless(name, "host")  ? &hop.host
                                                              : nullptr;
        good = good && value && (!place || place->empty());
        if (good && place) *place = *value;
    });
    if (!good) return std::nullopt;
    return hop;
}

bool is_escaped(std::string_view text, size_t at) {
    size_t backslashes = 0;
    while (backslashes < at && text[at - backslashes - 1] == '\\')
        ++backslashes;
    return backslashes % 2 == 1;
}

enum class Quotes : bool { kNone, kHonoured };

/// The elements of a list, the last one first. Cut from its end: a quote that a client has left open at the
/// front must not swallow what a proxy has appended.
std::vector<std::string_view> elements_backwards(std::string_view list, Quotes quotes) {
    std::vector<std::string_view> elements;
    bool quoted = false;
    size_t end = list.size();
    for (size_t at = list.size() + 1; at-- > 0 && elements.size() < kMostHops;) {
        const bool is_front = at == 0;
        const char c = is_front ? ',' : list[at - 1];
        if (quotes == Quotes::kHonoured && c == '"' && !is_escaped(list, at - 1)) quoted = !quoted;
        if (c != ',' || (quoted && !is_front)) continue;
        const std::string_view element = trim_blanks(list.substr(at, end - at));
        if (!element.empty()) elements.push_back(element);
        if (!is_front) end = at - 1;
    }
    return elements;
}

std::string scheme_of(std::string_view text) {
    if (equals_caseless(text, "https") || equals_caseless(text, "wss")) return "https";
    if (equals_caseless(text, "http") || equals_caseless(text, "ws")) return "http";
    return {};
}

Forwarded read_standard(std::span<const Field> fields, std::string_view text, const TrustedProxies& proxies) {
    Forwarded told;
    const std::string list = join_lines(fields, text, "forwarded");
    for (std::string_view element : elements_backwards(list, Quotes::kHonoured)) {
        const std::optional<Hop> hop = read_element(element);
        if (!hop) break;
        // The host and the scheme nearest to the client count.
        if (std::string scheme = scheme_of(hop->scheme); !scheme.empty()) told.scheme = std::move(scheme);
        if (!hop->host.empty() && is_authority(hop->host)) told.host = hop->host;
        const std::optional<Address> client = parse_node(hop->client);
        if (!client) break;
        told.client = *client;
        if (!proxies.trusts(*client)) break;
    }
    return told;
}

/// The element of the proxy that is `hops` from the end of a list to which not every proxy may have
/// appended.
std::string_view element_for(const std::vector<std::string_view>& backwards, size_t hops) {
    if (backwards.empty()) return {};
    return backwards[std::clamp<size_t>(hops, 1, backwards.size()) - 1];
}

bool has_port(std::string_view authority) {
    const size_t colon = authority.rfind(':');
    return colon != authority.npos && authority.find(']', colon) == authority.npos;
}

Forwarded read_x_forwarded(std::span<const Field> fields, std::string_view text,
                           const TrustedProxies& proxies) {
    Forwarded told;
    const std::string clients = join_lines(fields, text, "x-forwarded-for");
    size_t hops = 0;
    for (std::string_view node : elements_backwards(clients, Quotes::kNone)) {
        const std::optional<Address> client = parse_node(node);
        if (!client) break;
        ++hops;
        told.client = *client;
        if (!proxies.trusts(*client)) break;
    }
    const auto said = [&](std::string_view name) {
        const std::string list = join_lines(fields, text, name);
        return std::string(element_for(elements_backwards(list, Quotes::kNone), hops));
    };
    told.scheme = scheme_of(said("x-forwarded-proto"));
    told.host = said("x-forwarded-host");
    if (!is_authority(told.host)) told.host.clear();
    const std::string port = said("x-forwarded-port");
    const std::string_view usual = told.scheme == "https" ? "443" : "80";
    if (told.host.empty() || has_port(told.host) || port.empty() || port == usual) return told;
    const std::string with_port = told.host + ":" + port;
    if (is_authority(with_port)) told.host = with_port;
    return told;
}

}  // namespace

std::optional<Address> parse_node(std::string_view text) {
    std::string_view host = text, port;
    const size_t colon = text.rfind(':');
    const bool bracketed = !text.empty() && text.front() == '[';
    if (bracketed) {
        const size_t end = text.find(']');
        if (end == text.npos) return std::nullopt;
        host = text.substr(1, end - 1);
        if (host.find(':') == host.npos) return std::nullopt;
        port = text.substr(end + 1);
        if (!port.empty() && port.front() != ':') return std::nullopt;
    } else if (colon != text.npos && text.find(':') == colon) {
        host = text.substr(0, colon);
        port = text.substr(colon);
    }
    std::optional<Address> address = Address::parse_ip(host);
    if (!address || port.empty()) return address;
    port.remove_prefix(1);
    unsigned number = 0;
    if (port.empty() || port.size() > 5) return std::nullopt;
    for (char digit : port) {
        if (!is_digit(digit)) return std::nullopt;
        number = number * 10 + static_cast<unsigned>(digit - '0');
    }
    if (number > 65535) return std::nullopt;
    address->port = static_cast<uint16_t>(number);
    return address;
}

Forwarded read_forwarded(std::span<const Field> fields, std::string_view text,
                         const TrustedProxies& proxies) {
    switch (proxies.fields) {
        case ProxyFields::kNone: break;
        case ProxyFields::kXForwarded: return read_x_forwarded(fields, text, proxies);
        case ProxyFields::kForwarded: return read_standard(fields, text, proxies);
    }
    return {};
}

}  // namespace sluice::http
