#include "protocol/http/access_line.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/utf8.h"
#include "protocol/http/http_date.h"

namespace sluice::http {

namespace {

// How long each part may become, escaped. Their sum and the fixed text stay below kAccessLineBound.
constexpr size_t kMethodBytes = 40;
constexpr size_t kTargetBytes = 1500;
constexpr size_t kRouteBytes = 200;
constexpr size_t kHostBytes = 260;
constexpr size_t kRefererBytes = 800;
constexpr size_t kUserAgentBytes = 500;
constexpr size_t kRequestIdBytes = 130;
constexpr size_t kTraceBytes = 40;
constexpr std::string_view kCut = "...";
constexpr char kHex[] = "0123456789abcdef";

void append_number(std::string& out, uint64_t number) {
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    out.append(digits, end);
}

void append_two(std::string& out, unsigned number) {
    out += static_cast<char>('0' + number / 10);
    out += static_cast<char>('0' + number % 10);
}

bool is_plain(char c) {
    const uint8_t byte = static_cast<uint8_t>(c);
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

/// Everything but printable ASCII as \xHH.
void append_hex_escaped(std::string& out, std::string_view text, size_t most) {
    const size_t end = out.size() + most;
    for (const char c : text) {
        if (out.size() + 4 > end) {
            out += kCut;
            return;
        }
        if (is_plain(c)) {
            out += c;
            continue;
        }
        const uint8_t byte = static_cast<uint8_t>(c);
        out += "\\x";
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
    }
}

void append_quoted(std::string& out, std::string_view text, size_t most) {
    out += '"';
    if (text.empty()) out += '-';
    append_hex_escaped(out, text, most);
    out += '"';
}

size_t utf8_length(char lead) {
    const uint8_t byte = static_cast<uint8_t>(lead);
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// UTF-8 stays, its control characters are escaped; a byte that is not UTF-8 becomes U+FFFD.
void append_json_escaped(std::string& out, std::string_view text, size_t most) {
    const size_t end = out.size() + most;
    const bool is_text = is_utf8(text);
    while (!text.empty()) {
        if (out.size() + 6 > end) {
            out += kCut;
            return;
        }
        const char c = text.front();
        const size_t length = is_text ? utf8_length(c) : 1;
        if (length > 2 || (length == 2 && (c != '\xc2' || static_cast<uint8_t>(text[1]) >= 0xa0))) {
            out += text.substr(0, length);
        } else if (length == 2 || c == 0x7f || (static_cast<uint8_t>(c) < 0x20)) {
            const uint8_t code =
                static_cast<uint8_t>(text[length - 1]);  // the code of U+0080 to U+009F is their last byte
            out += "\\u00";
            out += kHex[code >> 4];
            out += kHex[code & 15];
        } else if (static_cast<uint8_t>(c) >= 0x80) {
            out += "\\ufffd";
        } else {
            if (!is_plain(c)) out += '\\';
            out += c;
        }
        text.remove_prefix(length);
    }
}

void append_member(std::string& out, std::string_view name, std::string_view value, size_t most) {
    out += ",\"";
    out += name;
    out += "\":\"";
    append_json_escaped(out, value, most);
    out += '"';
}

void append_member(std::string& out, std::string_view name, uint64_t value) {
    out += ",\"";
    out += name;
    out += "\":";
    append_number(out, value);
}

unsigned month_number(std::string_view name) {
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    return static_cast<unsigned>(kMonths.find(name) / 3 + 1);
}

/// The pieces of "Sun, 06 Nov 1994 08:49:37 GMT".
struct DateParts {
    char text[kDateBytes];

    explicit DateParts(uint64_t at_us) { format_date(static_cast<int64_t>(at_us / 1'000'000), text); }
    std::string_view day() const { return {text + 5, 2}; }
    std::string_view month() const { return {text + 8, 3}; }
    std::string_view year() const { return {text + 12, 4}; }
    std::string_view time() const { return {text + 17, 8}; }
};

/// The host of `peer`, without the port.
std::string_view host_of(std::string_view peer) {
    if (peer.empty()) return "-";
    if (peer.starts_with('[')) return peer.substr(1, peer.find(']') - 1);
    const size_t colon = peer.rfind(':');
    return colon == peer.npos || colon + 1 == peer.size() ? peer : peer.substr(0, colon);
}

void append_common(std::string& out, const AccessEntry& entry) {
    const DateParts date(entry.at_us);
    append_hex_escaped(out, host_of(entry.peer), kHostBytes);
    out += " - - [";
    out += date.day();
    out += '/';
    out += date.month();
    out += '/';
    out += date.year();
    out += ':';
    out += date.time();
    out += " +0000] \"";
    if (!entry.method.empty()) {
        append_hex_escaped(out, entry.method, kMethodBytes);
        out += ' ';
    } else if (entry.target.empty()) {
        out += '-';
    }
    append_hex_escaped(out, entry.target, kTargetBytes);
    if (!entry.protocol.empty()) {
        out += ' ';
        out += entry.protocol;
    }
    out += "\" ";
    append_number(out, entry.status);
    out += ' ';
    if (entry.body_bytes) {
        append_number(out, entry.body_bytes);
    } else {
        out += '-';
    }
}

void append_json(std::string& out, const AccessEntry& entry) {
    const DateParts date(entry.at_us);
    out += "{\"time\":\"";
    out += date.year();
    out += '-';
    append_two(out, month_number(date.month()));
    out += '-';
    out += date.day();
    out += 'T';
    out += date.time();
    out += '.';
    const unsigned milliseconds = static_cast<unsigned>(entry.at_us / 1000 % 1000);
    out += static_cast<char>('0' + milliseconds / 100);
    append_two(out, milliseconds % 100);
    out += "Z\"";
    append_member(out, "peer", entry.peer, kHostBytes);
    append_member(out, "method", entry.method, kMethodBytes);
    append_member(out, "target", entry.target, kTargetBytes);
    append_member(out, "protocol", entry.protocol, kMethodBytes);
    append_member(out, "status", entry.status);
    append_member(out, "bytes", entry.body_bytes);
    append_member(out, "duration_us", entry.duration_us);
    out += entry.complete ? ",\"complete\":true" : ",\"complete\":false";
    if (!entry.route.empty()) append_member(out, "route", entry.route, kRouteBytes);
    if (!entry.host.empty()) append_member(out, "host", entry.host, kHostBytes);
    if (!entry.referer.empty()) append_member(out, "referer", entry.referer, kRefererBytes);
    if (!entry.user_agent.empty()) append_member(out, "user_agent", entry.user_agent, kUserAgentBytes);
    if (!entry.request_id.empty()) append_member(out, "request_id", entry.request_id, kRequestIdBytes);
    if (!entry.trace_id.empty()) append_member(out, "trace_id", entry.trace_id, kTraceBytes);
    if (!entry.span_id.empty()) append_member(out, "span_id", entry.span_id, kTraceBytes);
    out += '}';
}

}  // namespace

void append_access_line(std::string& out, AccessFormat format, const AccessEntry& entry) {
    switch (format) {
        case AccessFormat::kCommon: append_common(out, entry); break;
        case AccessFormat::kCombined:
            append_common(out, entry);
            out += ' ';
            append_quoted(out, entry.referer, kRefererBytes);
            out += ' ';
            append_quoted(out, entry.user_agent, kUserAgentBytes);
            break;
        case AccessFormat::kJson: append_json(out, entry); break;
    }
    out += '\n';
}

}  // namespace sluice::http
