#include "protocol/http/http_syntax.h"

#include <bit>
#include <cstring>

namespace sluice::http {

namespace syntax {

namespace {

constexpr std::array<char, 256> make_token_table() {
    std::array<char, 256> table{};
    for (int c = '0'; c <= '9'; ++c)
        table[c] = static_cast<char>(c);
    for (int c = 'a'; c <= 'z'; ++c)
        table[c] = static_cast<char>(c);
    for (int c = 'A'; c <= 'Z'; ++c)
        table[c] = static_cast<char>(c | 0x20);
    for (char c : std::string_view("!#$%&'*+-.^_`|~"))
        table[static_cast<uint8_t>(c)] = c;
    return table;
}

/// Unreserved and sub-delims of RFC 3986, except the comma.
constexpr std::array<bool, 256> make_host_table() {
    std::array<bool, 256> table{};
    for (int c = '0'; c <= '9'; ++c)
        table[c] = true;
    for (int c = 'a'; c <= 'z'; ++c)
        table[c] = true;
    for (int c = 'A'; c <= 'Z'; ++c)
        table[c] = true;
    for (char c : std::string_view("-._~!$&'()*+;="))
        table[static_cast<uint8_t>(c)] = true;
    return table;
}

constexpr std::array<bool, 256> kHostByte = make_host_table();

}  // namespace

constexpr std::array<char, 256> kLowerTokenByte = make_token_table();

}  // namespace syntax

namespace {

bool is_address_literal(std::string_view text) {
    int colons = 0;
    for (char c : text) {
        if (c == ':') {
            ++colons;
        } else if (hex_value(c) < 0 && c != '.') {
            return false;
        }
    }
    return colons >= 2 && colons <= 8;
}

bool is_port(std::string_view text) {
    uint32_t port = 0;
    if (text.size() > 5) return false;
    for (char c : text) {
        if (!is_digit(c)) return false;
        port = port * 10 + static_cast<uint32_t>(c - '0');
    }
    return port <= 65535;
}

/// The length of the name in front.
size_t host_name_length(std::string_view text) {
    const auto is_encoded = [&](size_t at) {
        return text.size() - at >= 3 && text[at] == '%' && hex_value(text[at + 1]) >= 0 &&
               hex_value(text[at + 2]) >= 0;
    };
    size_t at = 0;
    for (;;) {
        while (at < text.size() && syntax::kHostByte[static_cast<uint8_t>(text[at])])
            ++at;
        if (at == text.size() || !is_encoded(at)) return at;
        at += 3;
    }
}

}  // namespace

bool is_token(std::string_view text) {
    for (char c : text) {
        if (!is_token_byte(c)) return false;
    }
    return !text.empty();
}

const char* find_field_control(const char* begin, const char* end) {
    // Eight bytes at a time. A borrow can mark a wrong byte only above a right one, so the lowest mark is
    // always right.
    if constexpr (std::endian::native == std::endian::little) {
        constexpr uint64_t kOnes = 0x0101010101010101u;
        constexpr uint64_t kHighs = 0x8080808080808080u;
        while (end - begin >= 8) {
            uint64_t word;
            memcpy(&word, begin, 8);
            const uint64_t low = (word - kOnes * 0x20) & ~word;
            const uint64_t del = word ^ (kOnes * 0x7f);
            const uint64_t marks = (low | ((del - kOnes) & ~del)) & kHighs;
            if (marks == 0) {
                begin += 8;
                continue;
            }
            begin += std::countr_zero(marks) / 8;
            if (*begin != '\t') return begin;
            ++begin;
        }
    }
    while (begin != end && is_field_byte(*begin))
        ++begin;
    return begin;
}

bool is_field_value(std::string_view text) {
    return find_field_control(text.data(), text.data() + text.size()) == text.data() + text.size();
}

namespace {
/// Takes a line without its end off the front; false when there is no whole one.
bool take_line(std::string_view& text, std::string_view& line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos || end == 0 || text[end - 1] != '\r') return false;
    line = text.substr(0, end - 1);
    text.remove_prefix(end + 1);
    return true;
}
}  // namespace

bool are_field_lines(std::string_view text) {
    for (std::string_view line; !text.empty();) {
        if (!take_line(text, line)) return false;
        const size_t colon = line.find(':');
        if (colon == 0 || colon == std::string_view::npos) return false;
    }
    return true;
}

bool has_field_line(std::string_view lines, std::string_view name) {
    for (std::string_view line; take_line(lines, line);) {
        if (line.size() > name.size() && line[name.size()] == ':' &&
            equals_caseless(line.substr(0, name.size()), name))
            return true;
    }
    return false;
}

bool is_authority(std::string_view text) {
    if (!text.empty() && text.front() == '[') {
        const size_t close = text.find(']');
        if (close == text.npos || !is_address_literal(text.substr(1, close - 1))) return false;
        const std::string_view rest = text.substr(close + 1);
        return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
    }
    const size_t length = host_name_length(text);
    if (length == 0) return false;
    return length == text.size() || (text[length] == ':' && is_port(text.substr(length + 1)));
}

bool equals_caseless(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        if (to_lower(a[i]) != to_lower(b[i])) return false;
    }
    return true;
}

std::string_view trim_blanks(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool list_has_token(std::string_view list, std::string_view token) {
    while (!list.empty()) {
        const size_t comma = list.find(',');
        if (equals_caseless(trim_blanks(list.substr(0, comma)), token)) return true;
        if (comma == list.npos) break;
        list.remove_prefix(comma + 1);
    }
    return false;
}

size_t percent_decode(std::string_view text, Plus plus, char* out) {
    const char* const start = out;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '+' && plus == Plus::kSpace) {
            c = ' ';
        } else if (c == '%' && text.size() - i >= 3) {
            const int high = hex_value(text[i + 1]);
            const int low = hex_value(text[i + 2]);
            if (high >= 0 && low >= 0) {
                c = static_cast<char>(high << 4 | low);
                i += 2;
            }
        }
        *out++ = c;
    }
    return static_cast<size_t>(out - start);
}

bool needs_decoding(std::string_view text, Plus plus) {
    if (text.empty()) return false;
    if (memchr(text.data(), '%', text.size()) != nullptr) return true;
    return plus == Plus::kSpace && memchr(text.data(), '+', text.size()) != nullptr;
}

}  // namespace sluice::http
