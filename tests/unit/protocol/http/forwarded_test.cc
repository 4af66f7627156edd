#include "protocol/http/forwarded.h"

#include <gtest/gtest.h>

#include "protocol/http/http1_parser.h"

namespace sluice::http {
namespace {

TrustedProxies proxies(ProxyFields fields) {
    TrustedProxies trusted;
    trusted.fields = fields;
    trusted.addresses = {*AddressRange::parse("10.0.0.0/8"), *AddressRange::parse("2001:db8::/32")};
    return trusted;
}

/// What Forwarded reads from these field lines.
Forwarded read(ProxyFields kind, std::initializer_list<std::string_view> lines) {
    std::string text = "GET / HTTP/1.1\r\nHost: inside\r\n";
    for (std::string_view line : lines)
        text.append(line).append("\r\n");
    text += "\r\n";
    http1::HeadParser parser;
    EXPECT_EQ(parser.parse(text), http1::HeadParser::Status::kDone) << text;
    return read_forwarded(parser.fields(), text, proxies(kind));
}

std::string client(ProxyFields kind, std::initializer_list<std::string_view> lines) {
    return read(kind, lines).client.to_peer_string();
}

constexpr ProxyFields kX = ProxyFields::kXForwarded;
constexpr ProxyFields kStandard = ProxyFields::kForwarded;

TEST(Forwarded, Nodes) {
    const auto node = [](std::string_view text) {
        const auto address = parse_node(text);
        return address ? address->to_peer_string() : "none";
    };
    EXPECT_EQ(node("192.0.2.1"), "192.0.2.1");
    EXPECT_EQ(node("192.0.2.1:80"), "192.0.2.1:80");
    EXPECT_EQ(node("2001:db8::1"), "[2001:db8::1]");
    EXPECT_EQ(node("[2001:db8::1]"), "[2001:db8::1]");
    EXPECT_EQ(node("[2001:db8::1]:65535"), "[2001:db8::1]:65535");
    EXPECT_EQ(node("::ffff:192.0.2.1"), "192.0.2.1");
    for (const char* text :
         {"", "unknown", "_hidden", "192.0.2.1:", "192.0.2.1:65536", "192.0.2.1:x", "192.0.2.1:_port",
          "192.0.2", "[192.0.2.1]", "[2001:db8::1", "2001:db8::1]", "[2001:db8::1]80",
          "[2001:db8::1]:", "example.org", "[]", " 192.0.2.1", "192.0.2.1 "}) {
        EXPECT_EQ(node(text), "none") << text;
    }
}

TEST(Forwarded, NothingIsSaid) {
    for (ProxyFields kind : {kX, kStandard}) {
        const Forwarded told = read(kind, {});
        EXPECT_EQ(told.client.family, 0);
        EXPECT_EQ(told.scheme, "");
        EXPECT_EQ(told.host, "");
    }
}

TEST(Forwarded, OnlyTheChosenKindIsRead) {
    const std::initializer_list<std::string_view> lines = {
        "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", "Forwarded: for=192.0.2.2;proto=http"};
    EXPECT_EQ(client(kX, lines), "192.0.2.1");
    EXPECT_EQ(client(kStandard, lines), "192.0.2.2");
    EXPECT_EQ(client(ProxyFields::kNone, lines), "");
    EXPECT_EQ(read(ProxyFields::kNone, lines).scheme, "");
}

TEST(Forwarded, XForwardedForIsReadFromItsEnd) {
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 203.0.113.9, 192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 203.0.113.9, 192.0.2.1, 10.1.1.1,10.2.2.2"}), "192.0.2.1");
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 10.0.0.7, 10.1.1.1"}), "10.0.0.7")
        << "all addresses are trusted proxies";
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 203.0.113.9, unknown, 10.1.1.1"}), "10.1.1.1")
        << "an entry without an address ends the search";
    EXPECT_EQ(client(kX, {"X-Forwarded-For: 203.0.113.9, "}), "203.0.113.9");
    EXPECT_EQ(client(kX, {"X-Forwarded-For: \"203.0.113.9, 192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kX, {"X-Forwarded-For: nonsense"}), "");
}

TEST(Forwarded, XForwardedSchemeHostAndPort) {
    const Forwarded told = read(kX, {"X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: HTTPS",
                                     "X-Forwarded-Host: example.org", "X-Forwarded-Port: 8443"});
    EXPECT_EQ(told.scheme, "https");
    EXPECT_EQ(told.host, "example.org:8443");
    const auto host = [](std::string_view scheme, std::string_view name, std::string_view port) {
        return read(kX, {"X-Forwarded-Proto: " + std::string(scheme),
                         "X-Forwarded-Host: " + std::string(name), "X-Forwarded-Port: " + std::string(port)})
            .host;
    };
    EXPECT_EQ(host("https", "example.org", "443"), "example.org");
    EXPECT_EQ(host("http", "example.org", "443"), "example.org:443");
    EXPECT_EQ(host("http", "example.org", "80"), "example.org");
    EXPECT_EQ(host("http", "example.org:81", "82"), "example.org:81");
    EXPECT_EQ(host("http", "[::1]", "82"), "[::1]:82");
    EXPECT_EQ(host("http", "example.org", "65535"), "example.org:65535");
    EXPECT_EQ(host("http", "example.org", "65536"), "example.org") << "65536 is no port";
    EXPECT_EQ(host("http", "example.org", ""), "example.org");
    EXPECT_EQ(host("http", "example.org", "many"), "example.org");
    EXPECT_EQ(host("http", "exa mple.org", "82"), "");
    EXPECT_EQ(read(kX, {"X-Forwarded-Proto: gopher"}).scheme, "");
    EXPECT_EQ(read(kX, {"X-Forwarded-Proto: wss"}).scheme, "https");
}

TEST(Forwarded, XForwardedListsBelongTogether) {
    // Two proxies have appended to both lists.
    const std::string_view clients = "X-Forwarded-For: 203.0.113.9, 192.0.2.1, 10.1.1.1";
    EXPECT_EQ(read(kX, {clients, "X-Forwarded-Proto: ftp, https, http"}).scheme, "https");
    // Only the first proxy has set the scheme.
    EXPECT_EQ(read(kX, {clients, "X-Forwarded-Proto: https"}).scheme, "https");
    // The client has set a scheme, and the proxy has appended its own.
    EXPECT_EQ(read(kX, {"X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https, http"}).scheme, "http");
}

TEST(Forwarded, Rfc7239_4_Elements) {
    const Forwarded told =
        read(kStandard, {"Forwarded: For=\"[2001:dead::1]:4711\";by=_me;PROTO=https; host=\"a.b:81\""});
    EXPECT_EQ(told.client.to_peer_string(), "[2001:dead::1]:4711");
    EXPECT_EQ(told.scheme, "https");
    EXPECT_EQ(told.host, "a.b:81");
    EXPECT_EQ(client(kStandard, {"Forwarded: for=192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kStandard, {R"(Forwarded: for="192\.0.2.1")"}), "192.0.2.1");
}

TEST(Forwarded, Rfc7239_7_4_ListsAreReadFromTheirEnd) {
    EXPECT_EQ(client(kStandard, {"Forwarded: for=203.0.113.9, for=192.0.2.1, for=10.1.1.1"}), "192.0.2.1");
    EXPECT_EQ(client(kStandard, {"Forwarded: for=203.0.113.9, for=192.0.2.1", "Forwarded: for=10.1.1.1"}),
              "192.0.2.1");
    const Forwarded told =
        read(kStandard, {"Forwarded: for=203.0.113.9;proto=ftp;host=evil, for=192.0.2.1;proto=https, "
                         "for=10.1.1.1;proto=http;host=good"});
    EXPECT_EQ(told.scheme, "https");
    EXPECT_EQ(told.host, "good");
}

TEST(Forwarded, Rfc7239_6_3_ObfuscatedNodesEndTheReading) {
    EXPECT_EQ(client(kStandard, {"Forwarded: for=203.0.113.9, for=_hidden, for=10.1.1.1"}), "10.1.1.1");
    EXPECT_EQ(client(kStandard, {"Forwarded: for=unknown;proto=https"}), "");
    EXPECT_EQ(read(kStandard, {"Forwarded: for=unknown;proto=https"}).scheme, "https");
}

TEST(Forwarded, MalformedElementsEndTheReading) {
    for (const char* first :
         {"for=\"203.0.113.9", "for=203.0.113.9;for=203.0.113.8", "for=[2001:dead::1]", "for", "=x",
          "for= 1.2.3.4", "for=\"1.2.3.4\"x", "proto=https;proto=http;for=1.2.3.4"}) {
        EXPECT_EQ(client(kStandard, {std::string("Forwarded: ") + first + ", for=10.1.1.1"}), "10.1.1.1")
            << first;
    }
}

TEST(Forwarded, AQuoteThatAClientLeavesOpenSwallowsNothing) {
    EXPECT_EQ(client(kStandard, {"Forwarded: for=\"203.0.113.9, for=192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kStandard, {"Forwarded: for=\"203.0.113.9", "Forwarded: for=192.0.2.1"}), "192.0.2.1");
    EXPECT_EQ(client(kStandard, {"Forwarded: for=\"1.1.1.1\\", "Forwarded: for=\"192.0.2.1:5\""}),
              "192.0.2.1:5");
    EXPECT_EQ(client(kStandard, {"Forwarded: host=\"x, for=203.0.113.9, for=\"192.0.2.1:7\""}),
              "192.0.2.1:7");
}

TEST(Forwarded, LongListsAreReadFromTheirEndOnly) {
    std::string line = "X-Forwarded-For: 192.0.2.1";
    for (int i = 0; i < 100; ++i)
        line += ",10.0.0.1";
    EXPECT_EQ(client(kX, {line}), "10.0.0.1");
}

}  // namespace
}  // namespace sluice::http
