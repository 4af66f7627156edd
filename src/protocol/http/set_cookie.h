#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::http {

enum class SameSite : uint8_t { kUnset, kStrict, kLax, kNone };

/// A cookie to be set (RFC 6265 and its revision).
struct SetCookie {
    std::string_view name;
    std::string_view value;            ///< any bytes: those not allowed in a cookie are percent-encoded
    std::optional<int64_t> expires_s;  ///< seconds since 1970, year 0 to 9999
    std::optional<int64_t> max_age_s;
    std::string_view path;    ///< empty: the folder of the request
    std::string_view domain;  ///< empty: this host alone
    bool secure = false;
    bool http_only = false;
    bool partitioned = false;
    SameSite same_site = SameSite::kUnset;
};

/// A cookie's fault: the member, and what it must be. Browsers silently drop such a cookie.
struct CookieFault {
    enum class Member : uint8_t { kNone, kName, kValue, kPath, kDomain, kSecure } member = Member::kNone;
    const char* must = "";
};
CookieFault check_cookie(const SetCookie& cookie);

/// An upper bound of write_set_cookie()'s bytes.
size_t set_cookie_bound(const SetCookie& cookie);

/// Writes the value of a Set-Cookie field for a cookie without fault; returns the number of bytes.
size_t write_set_cookie(const SetCookie& cookie, char* out);

}  // namespace sluice::http
