#include "protocol/http/set_cookie.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace sluice::http {
namespace {

using Member = CookieFault::Member;

std::string write(const SetCookie& cookie) {
    EXPECT_EQ(check_cookie(cookie).member, Member::kNone) << check_cookie(cookie).must;
    std::string text(set_cookie_bound(cookie), '\0');
    text.resize(write_set_cookie(cookie, text.data()));
    return text;
}

SetCookie named(std::string_view name, std::string_view value = "") {
    SetCookie cookie;
    cookie.name = name;
    cookie.value = value;
    return cookie;
}

TEST(SetCookie, WritesWhatIsSet) {
    EXPECT_EQ(write(named("a", "b=c")), "a=b=c");
    SetCookie cookie = named("a");
    cookie.expires_s = 784111777;
    cookie.max_age_s = std::numeric_limits<int64_t>::min();
    cookie.path = "/x y";
    cookie.domain = "example.com";
    cookie.secure = cookie.http_only = cookie.partitioned = true;
    cookie.same_site = SameSite::kStrict;
    EXPECT_EQ(write(cookie),
              "a=; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=-9223372036854775808; Path=/x y; "
              "Domain=example.com; "
              "Secure; HttpOnly; SameSite=Strict; Partitioned");
    cookie = named("a", "1");
    cookie.same_site = SameSite::kLax;
    EXPECT_EQ(write(cookie), "a=1; SameSite=Lax");
    cookie.same_site = SameSite::kNone;
    cookie.secure = true;
    EXPECT_EQ(write(cookie), "a=1; Secure; SameSite=None");
}

TEST(SetCookie, NamesAndValues) {
    for (const char* bad : {"", "a b", "a=b", "a;b", "\xc3\xbc"})
        EXPECT_EQ(check_cookie(named(bad)).member, Member::kName) << bad;
    EXPECT_EQ(write(named("a", "a b;c,d\"e\\f\r\n")), "a=a%20b%3Bc%2Cd%22e%5Cf%0D%0A");
    EXPECT_EQ(write(named("a", {"\xc3\xbc\x7f\0", 4})), "a=%C3%BC%7F%00");
    EXPECT_EQ(write(named("a", "100%25+/=!~")), "a=100%2525+/=!~");
    EXPECT_EQ(check_cookie(named("a", std::string(4095, 'x'))).member, Member::kNone);
    EXPECT_EQ(check_cookie(named("a", std::string(4096, 'x'))).member, Member::kValue);
    EXPECT_EQ(check_cookie(named("a", std::string(1365, ' '))).member, Member::kNone);
    EXPECT_EQ(check_cookie(named("a", std::string(1365, ' ') + "x")).member, Member::kValue);
}

TEST(SetCookie, PathsAndDomains) {
    for (const char* bad : {"x", "/;", "/\n", "/\xc3\xbc"}) {
        SetCookie cookie = named("a");
        cookie.path = bad;
        EXPECT_EQ(check_cookie(cookie).member, Member::kPath) << bad;
    }
    for (const char* bad : {"a;b", "a b", "a/b", "a:1", "\xc3\xbc"}) {
        SetCookie cookie = named("a");
        cookie.domain = bad;
        EXPECT_EQ(check_cookie(cookie).member, Member::kDomain) << bad;
    }
}

TEST(SetCookie, WhatWantsSecure) {
    SetCookie cookie = named("a");
    cookie.same_site = SameSite::kNone;
    EXPECT_EQ(check_cookie(cookie).member, Member::kSecure);
    cookie = named("a");
    cookie.partitioned = true;
    EXPECT_EQ(check_cookie(cookie).member, Member::kSecure);
    EXPECT_EQ(check_cookie(named("__secure-a")).member, Member::kSecure);
    EXPECT_EQ(check_cookie(named("__Host-a")).member, Member::kSecure);
    cookie = named("__Host-a");
    cookie.secure = true;
    EXPECT_EQ(check_cookie(cookie).member, Member::kPath);
    cookie.path = "/";
    EXPECT_EQ(check_cookie(cookie).member, Member::kNone);
    cookie.domain = "example.com";
    EXPECT_EQ(check_cookie(cookie).member, Member::kDomain);
}

}  // namespace
}  // namespace sluice::http
