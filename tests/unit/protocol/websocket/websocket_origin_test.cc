#include "protocol/websocket/websocket_origin.h"

#include <gtest/gtest.h>

namespace sluice::websocket {
namespace {

OriginPolicy list(std::vector<std::string> allowed) {
    OriginPolicy policy;
    policy.enabled = true;
    policy.allowed = std::move(allowed);
    return policy;
}

TEST(WebSocketOriginTest, WithoutAPolicyEveryoneIsWelcome) {
    EXPECT_TRUE(OriginPolicy().allows("https://evil.example", "here", true));
    EXPECT_TRUE(OriginPolicy().allows("nonsense", "here", true));
}

TEST(WebSocketOriginTest, ExactOnesAreComparedAsOrigins) {
    const OriginPolicy policy = list({"https://example.com", "http://localhost:8080", "http://[::1]:81"});
    for (const char* origin : {"https://example.com", "HTTPS://Example.COM", "https://example.com:443",
                               "http://localhost:8080", "http://[::1]:81"})
        EXPECT_TRUE(policy.allows(origin, "x", true)) << origin;
    for (const char* origin :
         {"http://example.com", "https://example.com:8443", "https://www.example.com",
          "https://example.com.evil.example", "https://example.com/", "https://example.com@evil.example",
          "example.com", "https://", "null", "://example.com", "https://example.com, https://evil.example",
          "http://localhost", "http://localhost:", "http://localhost:80a", "http://[::1]",
          "https://exa mple.com", "file://", "https:///example.com"})
        EXPECT_FALSE(policy.allows(origin, "x", true)) << origin;
}

TEST(WebSocketOriginTest, AStarStandsForAnySubDomain) {
    const OriginPolicy policy = list({"https://*.example.com"});
    EXPECT_TRUE(policy.allows("https://www.example.com", "x", true));
    EXPECT_TRUE(policy.allows("https://a.b.Example.com:443", "x", true));
    for (const char* origin : {"https://example.com", "https://.example.com", "https://evilexample.com",
                               "http://www.example.com", "https://www.example.com:444",
                               "https://www.example.com.evil.example", "https://evil.example/.example.com",
                               "https://evil.example?.example.com", "https://user@.example.com"})
        EXPECT_FALSE(policy.allows(origin, "x", true)) << origin;
}

TEST(WebSocketOriginTest, TheSameOriginIsThatOfTheRequest) {
    OriginPolicy policy = list({});
    policy.same_origin = true;
    EXPECT_TRUE(policy.allows("https://here.example", "here.example", true));
    EXPECT_TRUE(policy.allows("https://here.example", "Here.example:443", true));
    EXPECT_TRUE(policy.allows("http://here.example:8080", "here.example:8080", false));
    EXPECT_TRUE(policy.allows("http://[::1]:8080", "[::1]:8080", false));
    EXPECT_FALSE(policy.allows("http://here.example", "here.example", true));
    EXPECT_FALSE(policy.allows("https://here.example", "here.example", false));
    EXPECT_FALSE(policy.allows("http://here.example:8080", "here.example", false));
    EXPECT_FALSE(policy.allows("http://there.example", "here.example", false));
    EXPECT_FALSE(policy.allows("http://", "", false));
}

TEST(WebSocketOriginTest, NoOriginAndNullAreDecidedByThemselves) {
    OriginPolicy policy = list({"https://example.com"});
    EXPECT_TRUE(policy.allows("", "x", true));
    policy.without_origin = false;
    EXPECT_FALSE(policy.allows("", "x", true));
    EXPECT_FALSE(policy.allows("null", "x", true));
    policy.allowed.push_back("null");
    EXPECT_TRUE(policy.allows("null", "x", true));
}

TEST(WebSocketOriginTest, WhatCanBeAllowed) {
    for (const char* pattern :
         {"https://example.com", "http://localhost:8080", "https://*.example.com", "null",
          "chrome-extension://abcdef", "http://[::1]:8080", "https://a_b.example"})
        EXPECT_TRUE(is_origin_pattern(pattern)) << pattern;
    for (const char* pattern :
         {"", "*", "example.com", "https://", "https://*", "https://*.", "https://a.*.example",
          "https://example.com/", "https://example.com:", "https://example.com:x", "https://*example.com",
          "1https://example.com", "https://user@example.com", "https://[::1", "https://[]"})
        EXPECT_FALSE(is_origin_pattern(pattern)) << pattern;
}

}  // namespace
}  // namespace sluice::websocket
