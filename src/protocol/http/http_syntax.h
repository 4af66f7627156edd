#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace sluice::http {

namespace syntax {

/// For each byte: itself in lower case if it may stand in a token (RFC 9110 5.6.2), else 0.
extern const std::array<char, 256> kLowerTokenByte;

}  // namespace syntax

/// The byte in lower case if it may stand in a token (a method, a field name), else 0.
inline char lower_token_byte(char c) {
    return syntax::kLowerTokenByte[static_cast<uint8_t>(c)];
}

inline bool is_token_byte(char c) {
    return lower_token_byte(c) != 0;
}

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Value of a hexadecimal digit, or -1.
inline int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// HTAB, or anything but a control character: what a field value may hold. Bytes from 0x80 up are let through
/// (RFC 9110 5.5 calls them obs-text), for cookies and file names carry UTF-8.
inline bool is_field_byte(char c) {
    const uint8_t byte = static_cast<uint8_t>(c);
    return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
}

/// At least one byte, all of a token.
bool is_token(std::string_view text);

/// No byte that could end the line or cut the string: no CR, LF, NUL or other control but HTAB. May be empty.
bool is_field_value(std::string_view text);

/// First byte in [begin, end) that is a control character other than HTAB, or end.
const char* find_field_control(const char* begin, const char* end);

/// Whether the text is lines of fields, "name:value\r\n", or empty: what is written behind it begins a line
/// of its own, and nothing in it ends the head. Does not look at the values.
bool are_field_lines(std::string_view text);

/// Whether one of such lines has this name, whatever its case.
bool has_field_line(std::string_view lines, std::string_view name);

/// An authority without user information: a name, an IPv4 address or an IPv6 address in brackets, and perhaps
/// ":port" (RFC 9110 7.2). Commas, which the grammar allows in a name, are refused: they come from two joined
/// Host fields.
bool is_authority(std::string_view text);

inline char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// Compares without regard to the case of ASCII letters.
bool equals_caseless(std::string_view a, std::string_view b);

/// The text without blanks (SP and HTAB) at both ends.
std::string_view trim_blanks(std::string_view text);

/// Whether a comma-separated list has `token` among its elements, whatever its case.
bool list_has_token(std::string_view list, std::string_view token);

enum class Plus : uint8_t { kLiteral, kSpace };

/// Undoes percent-encoding; with Plus::kSpace also '+', as in forms and query strings. A '%' without two
/// hexadecimal digits after it is kept. `out` has room for text.size() bytes and may be text's own memory.
/// Returns the number of bytes written.
size_t percent_decode(std::string_view text, Plus plus, char* out);

/// Whether percent_decode() would change anything; if not, the text can be used as it stands.
bool needs_decoding(std::string_view text, Plus plus);

namespace syntax {

/// f may return nothing, or false to stop.
template <typename F>
bool goes_on(F& f, std::string_view name, std::string_view value) {
    if constexpr (std::is_void_v<decltype(f(name, value))>) {
        f(name, value);
        return true;
    } else {
        return f(name, value);
    }
}

}  // namespace syntax

/// Calls f(name, value) for each pair of a query string or form (application/x-www-form-urlencoded). Both are
/// still encoded: give them to percent_decode() with Plus::kSpace. A pair without '=' has an empty value;
/// empty pairs are left out.
template <typename F>
void for_each_query_pair(std::string_view query, F&& f) {
    while (!query.empty()) {
        const size_t end = query.find('&');
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(end == query.npos ? query.size() : end + 1);
        if (pair.empty()) continue;
        const size_t cut = pair.find('=');
        const std::string_view value = cut == pair.npos ? std::string_view() : pair.substr(cut + 1);
        if (!syntax::goes_on(f, pair.substr(0, cut), value)) return;
    }
}

/// Calls f(name, value) for each pair of a Cookie field: cut at ';', leading blanks off, cut at the first
/// '='. Nothing is decoded or unquoted. A pair without '=' has an empty value; one without a name is left
/// out.
template <typename F>
void for_each_cookie(std::string_view cookies, F&& f) {
    while (!cookies.empty()) {
        const size_t end = cookies.find(';');
        std::string_view pair = cookies.substr(0, end);
        cookies.remove_prefix(end == cookies.npos ? cookies.size() : end + 1);
        while (!pair.empty() && (pair.front() == ' ' || pair.front() == '\t'))
            pair.remove_prefix(1);
        const size_t cut = pair.find('=');
        if (pair.empty() || cut == 0) continue;
        const std::string_view value = cut == pair.npos ? std::string_view() : pair.substr(cut + 1);
        if (!syntax::goes_on(f, pair.substr(0, cut), value)) return;
    }
}

}  // namespace sluice::http
