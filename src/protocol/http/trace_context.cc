#include "protocol/http/trace_context.h"

#include <algorithm>

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr size_t kParentBytes = 55;  // of version 00, and the least of later ones

/// Digits in lower case only (§3.2.2.1). False when another byte is among them.
bool read_hex(std::string_view digits, uint64_t& number) {
    number = 0;
    for (const char digit : digits) {
        if (!is_digit(digit) && !(digit >= 'a' && digit <= 'f')) return false;
        number = number << 4 | static_cast<uint64_t>(hex_value(digit));
    }
    return true;
}

/// Calls `f` with each element of a list that is not empty, until it returns false. Whether it never has.
template <typename F>
bool each_member(std::string_view list, F&& f) {
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        const std::string_view member = trim_blanks(list.substr(0, comma));
        if (!member.empty() && !f(member)) return false;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return true;
}

/// All fields of this name as one list.
std::string join(std::span<const Field> fields, const char* text, std::string_view name) {
    std::string list;
    for (const Field& field : fields) {
        if (field.name.length != name.size() || field.name.in(text) != name) continue;
        if (!list.empty()) list += ',';
        list += field.value.in(text);
    }
    return list;
}

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c);
}
bool are_key_bytes(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return is_lower_or_digit(c) || c == '_' || c == '-' || c == '*' || c == '/'; });
}

/// §3.3.1.3.1, of both levels: a tenant may begin with a digit, and in level 1 a key may not.
bool is_state_key(std::string_view key) {
    const size_t at = key.find('@');
    if (at == key.npos)
        return !key.empty() && key.size() <= 256 && is_lower_or_digit(key[0]) && are_key_bytes(key);
    const std::string_view tenant = key.substr(0, at), system = key.substr(at + 1);
    return !tenant.empty() && tenant.size() <= 241 && is_lower_or_digit(tenant[0]) && are_key_bytes(tenant) &&
           !system.empty() && system.size() <= 14 && is_lower_or_digit(system[0]) && are_key_bytes(system);
}

bool is_state_value(std::string_view value) {
    return !value.empty() && value.size() <= 256 && value.back() != ' ' &&
           std::ranges::all_of(value, [](char c) { return c >= 0x20 && c <= 0x7e && c != ',' && c != '='; });
}

/// W3C Baggage §3.3.1: a token, `=`, a value of printable ASCII without blank, quote, comma, semicolon and
/// backslash; then properties, which are passed on unread.
bool split_baggage(std::string_view member, std::string_view& name, std::string_view& value) {
    const std::string_view pair = member.substr(0, member.find(';'));
    const size_t equals = pair.find('=');
    if (equals == pair.npos) return false;
    name = trim_blanks(pair.substr(0, equals));
    value = trim_blanks(pair.substr(equals + 1));
    return is_token(name) && std::ranges::all_of(value, [](char c) {
               return c > 0x20 && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
           });
}

bool are_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == '\t' || (c >= 0x20 && c < 0x7f); });
}

}  // namespace

std::optional<TraceParent> read_traceparent(std::string_view value) {
    if (value.size() < kParentBytes || value[2] != '-' || value[35] != '-' || value[52] != '-') return {};
    TraceParent parent;
    uint64_t version = 0, flags = 0;
    if (!read_hex(value.substr(0, 2), version) || !read_hex(value.substr(3, 16), parent.ids.high) ||
        !read_hex(value.substr(19, 16), parent.ids.low) || !read_hex(value.substr(36, 16), parent.ids.span) ||
        !read_hex(value.substr(53, 2), flags))
        return {};
    if (version == 0xff || (parent.ids.high | parent.ids.low) == 0 || parent.ids.span == 0) return {};
    if (value.size() > kParentBytes && (version == 0 || value[kParentBytes] != '-')) return {};
    parent.flags = static_cast<uint8_t>(flags & (TraceParent::kSampled | TraceParent::kRandom));
    return parent;
}

std::optional<TraceParent> find_traceparent(std::span<const Field> fields, const char* text) {
    constexpr std::string_view kName = "traceparent";
    const Field* found = nullptr;
    for (const Field& field : fields) {
        if (field.name.length != kName.size() || field.name.in(text) != kName) continue;
        if (found) return {};
        found = &field;
    }
    return found ? read_traceparent(found->value.in(text)) : std::nullopt;
}

TraceIds ids_of_request(const TraceKey& key, uint64_t connection, uint32_t number,
                        const std::optional<TraceParent>& parent) {
    TraceIds ids = TraceIds::of(key, connection, number);
    if (parent) {
        ids.high = parent->ids.high;
        ids.low = parent->ids.low;
    }
    return ids;
}

void append_traceparent(std::string& out, const TraceIds& ids, uint8_t flags) {
    const TraceText digits(ids);
    out += "00-";
    out += digits.trace();
    out += '-';
    out += digits.span();
    out += "-0";
    out += static_cast<char>('0' + (flags & (TraceParent::kSampled | TraceParent::kRandom)));
}

std::string trace_state(std::span<const Field> fields, const char* text) {
    std::string list = join(fields, text, "tracestate");
    size_t members = 0;
    const bool is_valid = each_member(list, [&](std::string_view member) {
        const size_t equals = member.find('=');
        return equals != member.npos && is_state_key(member.substr(0, equals)) &&
               is_state_value(member.substr(equals + 1)) && ++members <= kMostTraceStateMembers;
    });
    return is_valid && members > 0 ? list : std::string();
}

std::string baggage(std::span<const Field> fields, const char* text) {
    std::string kept;
    size_t members = 0;
    each_member(join(fields, text, "baggage"), [&](std::string_view member) {
        std::string_view name, value;
        if (!split_baggage(member, name, value) || !are_printable(member)) return true;
        if (kept.size() + 1 + member.size() > kMostBaggageBytes) return true;
        if (!kept.empty()) kept += ',';
        kept += member;
        return ++members < kMostBaggageMembers;
    });
    return kept;
}

std::vector<std::pair<std::string, std::string>> read_baggage(std::string_view baggage) {
    std::vector<std::pair<std::string, std::string>> values;
    each_member(baggage, [&](std::string_view member) {
        std::string_view name, value;
        if (!split_baggage(member, name, value)) return true;
        std::string decoded(value.size(), '\0');
        decoded.resize(percent_decode(value, Plus::kLiteral, decoded.data()));
        values.emplace_back(name, std::move(decoded));
        return true;
    });
    return values;
}

}  // namespace sluice::http
