#include "protocol/http/set_cookie.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "protocol/http/http_date.h"
#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr size_t kMaxPairBytes = 4096;
constexpr size_t kMaxAttributeBytes = 1024;
constexpr size_t kAttributesBound =
    sizeof(
        "; Expires=; Max-Age=-9223372036854775808; Path=; Domain=; Secure; HttpOnly; SameSite=Strict; "
        "Partitioned") +
    kDateBytes;

bool is_cookie_byte(char c) {
    const uint8_t byte = static_cast<uint8_t>(c);
    return byte > 0x20 && byte < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
}

/// The percent sign is encoded as well, so that decoding gives the value back.
bool is_encoded(char c) {
    return !is_cookie_byte(c) || c == '%';
}

size_t encoded_bytes(std::string_view value) {
    return value.size() + 2 * static_cast<size_t>(std::count_if(value.begin(), value.end(), is_encoded));
}

char* put_encoded(char* out, std::string_view value) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    for (const char c : value) {
        if (!is_encoded(c)) {
            *out++ = c;
            continue;
        }
        const uint8_t byte = static_cast<uint8_t>(c);
        *out++ = '%';
        *out++ = kDigits[byte >> 4];
        *out++ = kDigits[byte & 15];
    }
    return out;
}

bool is_path_byte(char c) {
    const uint8_t byte = static_cast<uint8_t>(c);
    return byte >= 0x20 && byte < 0x7f && c != ';';
}

bool is_domain_byte(char c) {
    return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'z') || c == '-' || c == '.';
}

bool starts_with_caseless(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() && equals_caseless(text.substr(0, prefix.size()), prefix);
}

char* put(char* out, std::string_view text) {
    if (!text.empty()) memcpy(out, text.data(), text.size());
    return out + text.size();
}

}  // namespace

CookieFault check_cookie(const SetCookie& cookie) {
    using Member = CookieFault::Member;
    if (!is_token(cookie.name))
        return {Member::kName, "must be a token: letters, digits and !#$%&'*+-.^_`|~"};
    if (cookie.name.size() + encoded_bytes(cookie.value) > kMaxPairBytes)
        return {Member::kValue, "must have at most 4096 bytes together with the name, once encoded"};
    if (cookie.path.size() > kMaxAttributeBytes || (!cookie.path.empty() && cookie.path.front() != '/') ||
        !std::all_of(cookie.path.begin(), cookie.path.end(), is_path_byte))
        return {Member::kPath,
                "must be empty or begin with a slash, of at most 1024 bytes of ASCII without semicolons"};
    if (cookie.domain.size() > kMaxAttributeBytes ||
        !std::all_of(cookie.domain.begin(), cookie.domain.end(), is_domain_byte))
        return {Member::kDomain, "must be empty or a host's name in ASCII"};
    if (!cookie.secure) {
        if (cookie.same_site == SameSite::kNone)
            return {Member::kSecure, "must be true when the cookie goes to other sites (SameSite::None)"};
        if (cookie.partitioned) return {Member::kSecure, "must be true for a partitioned cookie"};
        if (starts_with_caseless(cookie.name, "__Secure-") || starts_with_caseless(cookie.name, "__Host-"))
            return {Member::kSecure, "must be true for a name that begins with __Secure- or __Host-"};
    }
    if (starts_with_caseless(cookie.name, "__Host-")) {
        if (cookie.path != "/") return {Member::kPath, "must be / for a name that begins with __Host-"};
        if (!cookie.domain.empty())
            return {Member::kDomain, "must be empty for a name that begins with __Host-"};
    }
    return {};
}

size_t set_cookie_bound(const SetCookie& cookie) {
    return cookie.name.size() + 1 + encoded_bytes(cookie.value) + cookie.path.size() + cookie.domain.size() +
           kAttributesBound;
}

size_t write_set_cookie(const SetCookie& cookie, char* out) {
    char* end = put(out, cookie.name);
    *end++ = '=';
    end = put_encoded(end, cookie.value);
    if (cookie.expires_s) {
        char date[kDateBytes];
        format_date(*cookie.expires_s, date);
        end = put(end, "; Expires=");
        end = put(end, {date, kDateBytes});
    }
    if (cookie.max_age_s) {
        end = put(end, "; Max-Age=");
        end = std::to_chars(end, end + 20, *cookie.max_age_s).ptr;
    }
    if (!cookie.path.empty()) end = put(put(end, "; Path="), cookie.path);
    if (!cookie.domain.empty()) end = put(put(end, "; Domain="), cookie.domain);
    if (cookie.secure) end = put(end, "; Secure");
    if (cookie.http_only) end = put(end, "; HttpOnly");
    switch (cookie.same_site) {
        case SameSite::kUnset: break;
        case SameSite::kStrict: end = put(end, "; SameSite=Strict"); break;
        case SameSite::kLax: end = put(end, "; SameSite=Lax"); break;
        case SameSite::kNone: end = put(end, "; SameSite=None"); break;
    }
    if (cookie.partitioned) end = put(end, "; Partitioned");
    return static_cast<size_t>(end - out);
}

}  // namespace sluice::http
