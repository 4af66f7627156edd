#include "protocol/http/access_line.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

using namespace std::string_literals;

AccessEntry usual() {
    AccessEntry entry;
    entry.at_us = 784111777'042'000;
    entry.peer = "192.0.2.1:1234";
    entry.method = "GET";
    entry.target = "/a?b=1";
    entry.protocol = "HTTP/1.1";
    entry.host = "example.com";
    entry.referer = "https://example.org/";
    entry.user_agent = "curl/8";
    entry.request_id = "42";
    entry.status = 200;
    entry.body_bytes = 5;
    entry.duration_us = 1234;
    return entry;
}

std::string line(AccessFormat format, const AccessEntry& entry) {
    std::string out = "before";
    append_access_line(out, format, entry);
    return out.substr(6);
}

TEST(AccessLine, Common) {
    AccessEntry entry = usual();
    EXPECT_EQ("192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] \"GET /a?b=1 HTTP/1.1\" 200 5\n",
              line(AccessFormat::kCommon, entry));
    entry.body_bytes = 0;
    for (const auto& [peer, host] :
         {std::pair("[2001:db8::1]:1234", "2001:db8::1"), {"unix:", "unix:"}, {"", "-"}}) {
        entry.peer = peer;
        EXPECT_EQ(host + " - - [06/Nov/1994:08:49:37 +0000] \"GET /a?b=1 HTTP/1.1\" 200 -\n"s,
                  line(AccessFormat::kCommon, entry));
    }
}

TEST(AccessLine, Combined) {
    AccessEntry entry = usual();
    EXPECT_EQ(
        "192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] \"GET /a?b=1 HTTP/1.1\" 200 5 "
        "\"https://example.org/\" \"curl/8\"\n",
        line(AccessFormat::kCombined, entry));
    entry.referer = entry.user_agent = "";
    EXPECT_TRUE(line(AccessFormat::kCombined, entry).ends_with("200 5 \"-\" \"-\"\n"));
}

TEST(AccessLine, Json) {
    AccessEntry entry = usual();
    EXPECT_EQ(
        "{\"time\":\"1994-11-06T08:49:37.042Z\",\"peer\":\"192.0.2.1:1234\",\"method\":\"GET\","
        "\"target\":\"/a?b=1\",\"protocol\":\"HTTP/1.1\",\"status\":200,\"bytes\":5,\"duration_us\":1234,"
        "\"complete\":true,\"host\":\"example.com\",\"referer\":\"https://example.org/\","
        "\"user_agent\":\"curl/8\",\"request_id\":\"42\"}\n",
        line(AccessFormat::kJson, entry));
    entry.route = "/users/{id}";
    EXPECT_NE(line(AccessFormat::kJson, entry).find(",\"route\":\"/users/{id}\",\"host\":"),
              std::string::npos);
    EXPECT_EQ(line(AccessFormat::kCombined, entry).find("{id}"), std::string::npos);
    entry.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
    entry.span_id = "00f067aa0ba902b7";
    EXPECT_TRUE(line(AccessFormat::kJson, entry)
                    .ends_with(",\"request_id\":\"42\",\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\","
                               "\"span_id\":\"00f067aa0ba902b7\"}\n"));
    EXPECT_EQ(line(AccessFormat::kCombined, entry).find("4bf92f"), std::string::npos);
    entry.route = entry.trace_id = entry.span_id = {};
    entry.host = entry.referer = entry.user_agent = entry.request_id = "";
    entry.complete = false;
    EXPECT_TRUE(line(AccessFormat::kJson, entry).ends_with("\"complete\":false}\n"));
}

TEST(AccessLine, WhatCouldNotBeRead) {
    AccessEntry entry;
    entry.peer = "192.0.2.1:1";
    entry.status = 400;
    EXPECT_EQ("192.0.2.1 - - [01/Jan/1970:00:00:00 +0000] \"-\" 400 -\n", line(AccessFormat::kCommon, entry));
    entry.target = "\x16\x03\x01";
    EXPECT_EQ("192.0.2.1 - - [01/Jan/1970:00:00:00 +0000] \"\\x16\\x03\\x01\" 400 -\n",
              line(AccessFormat::kCommon, entry));
}

TEST(AccessLine, NothingEndsTheLineOrAString) {
    AccessEntry entry = usual();
    entry.user_agent = "a\"b\\c\nd\re\tf\x1b[31mg\x7f\xc2\x9b\xc3\xa4";
    EXPECT_TRUE(line(AccessFormat::kCombined, entry)
                    .ends_with("\"a\\x22b\\x5cc\\x0ad\\x0de\\x09f\\x1b[31mg\\x7f\\xc2\\x9b\\xc3\\xa4\"\n"));
    entry.request_id = "";
    EXPECT_TRUE(
        line(AccessFormat::kJson, entry)
            .ends_with("\"user_agent\":\"a\\\"b\\\\c\\u000ad\\u000de\\u0009f\\u001b[31mg\\u007f\\u009b"
                       "\xc3\xa4\"}\n"));
    entry.user_agent =
        "\xff"
        "a\xc3";
    EXPECT_TRUE(line(AccessFormat::kJson, entry).ends_with("\"user_agent\":\"\\ufffda\\ufffd\"}\n"));
    entry.user_agent = "\xe2\x82\xac\xf0\x9f\x98\x80";
    EXPECT_TRUE(
        line(AccessFormat::kJson, entry).ends_with("\"user_agent\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}\n"));
}

TEST(AccessLine, IsCutToItsBound) {
    for (const std::string& unit :
         {"x"s, "\x01"s, "\""s, "\xc3\xa4"s, "\xc2\x80"s, "\xff"s, "\xf0\x9f\x98\x80"s}) {
        std::string text;
        for (int i = 0; i < 20000; ++i)
            text += unit;
        AccessEntry entry;
        entry.at_us = 253402300799'999'999;
        entry.peer = entry.method = entry.target = entry.host = entry.referer = entry.user_agent =
            entry.request_id = entry.route = entry.trace_id = entry.span_id = text;
        entry.protocol = "HTTP/1.1";
        entry.status = 599;
        entry.body_bytes = entry.duration_us = UINT64_MAX;
        for (const auto format : {AccessFormat::kCommon, AccessFormat::kCombined, AccessFormat::kJson}) {
            const std::string written = line(format, entry);
            EXPECT_LE(written.size(), kAccessLineBound);
            EXPECT_GT(written.size(), 500u);
            EXPECT_EQ(written.size() - 1, written.find('\n'));
            EXPECT_NE(std::string::npos, written.find("..."));
        }
    }
}

}  // namespace
}  // namespace sluice::http
