#include "protocol/framing/proxy_header.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::proxy {
namespace {

using namespace std::literals;

constexpr std::string_view kSignature = "\r\n\r\n\0\r\nQUIT\n"sv;

/// A header of version 2: version and command, family and transport, then what its length counts.
std::string binary(int version_and_command, int family, std::string_view rest) {
    std::string bytes(kSignature);
    bytes += static_cast<char>(version_and_command);
    bytes += static_cast<char>(family);
    bytes += static_cast<char>(rest.size() >> 8);
    bytes += static_cast<char>(rest.size());
    return bytes.append(rest);
}

constexpr std::string_view kFour = "\xC0\x00\x02\x01\x0A\x00\x00\x01\x04\xD2\x01\xBB"sv;

/// Every beginning of `bytes` needs more, the whole is a header, and bytes behind it do not matter.
Header expect_header(const std::string& bytes) {
    Header header;
    for (size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_EQ(read_header(std::string_view(bytes).substr(0, cut), header), Verdict::kNeedMore)
            << "cut at " << cut << ": " << bytes;
    EXPECT_EQ(read_header(bytes + "GET / HTTP/1.1\r\n", header), Verdict::kHeader) << bytes;
    EXPECT_EQ(read_header(bytes, header), Verdict::kHeader) << bytes;
    EXPECT_EQ(header.bytes, bytes.size());
    return header;
}

/// Refused whatever bytes follow, and never taken for a header in pieces.
void expect_malformed(const std::string& bytes) {
    Header header;
    EXPECT_EQ(read_header(bytes, header), Verdict::kMalformed) << bytes;
    for (size_t cut = 0; cut < bytes.size(); ++cut)
        EXPECT_NE(read_header(std::string_view(bytes).substr(0, cut), header), Verdict::kHeader) << bytes;
}

TEST(ProxyHeader, Version1NamesBothEnds) {
    const Header four = expect_header("PROXY TCP4 192.0.2.1 10.0.0.1 1234 443\r\n");
    EXPECT_EQ(four.source.to_string(), "192.0.2.1:1234");
    EXPECT_EQ(four.destination.to_string(), "10.0.0.1:443");
    EXPECT_FALSE(four.is_anonymous);
    const Header six = expect_header("PROXY TCP6 2001:db8::1 ::1 65535 0\r\n");
    EXPECT_EQ(six.source.to_string(), "[2001:db8::1]:65535");
    EXPECT_EQ(expect_header("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2\r\n").source.to_string(), "192.0.2.1:1");
}

TEST(ProxyHeader, Version1Unknown) {
    EXPECT_TRUE(expect_header("PROXY UNKNOWN\r\n").is_anonymous);
    EXPECT_TRUE(expect_header("PROXY UNKNOWN whatever it says\r\n").is_anonymous);
    EXPECT_TRUE(expect_header("PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n").is_anonymous);
}

TEST(ProxyHeader, Version1IsStrict) {
    for (const char* line :
         {"PROXY TCP4 192.0.2.1 10.0.0.1 1234\r\n", "PROXY TCP4  192.0.2.1 10.0.0.1 1234 443\r\n",
          "PROXY TCP4 192.0.2.1 10.0.0.1 1234 443 \r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 1234 65536\r\n",
          "PROXY TCP4 192.0.2.1 10.0.0.1 01234 443\r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 -1 443\r\n",
          "PROXY TCP4 192.0.2.1 10.0.0.1 1234 4x3\r\n", "PROXY TCP4 192.0.2 10.0.0.1 1234 443\r\n",
          "PROXY TCP4 192.0.2.1 host 1234 443\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
          "PROXY TCP6 192.0.2.1 10.0.0.1 1 2\r\n", "PROXY TCP5 192.0.2.1 10.0.0.1 1234 443\r\n",
          "PROXY tcp4 192.0.2.1 10.0.0.1 1234 443\r\n", "PROXY UNKNOWNX\r\n",
          "PROXY UDP4 1.2.3.4 1.2.3.4 1 2\r\n", "PROXY \r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 1234 443\n",
          "PROXY TCP4 192.0.2.1\r10.0.0.1 1 2\r\n", "PROXY TCP4\t192.0.2.1 10.0.0.1 1 2\r\n"}) {
        expect_malformed(line);
    }
    expect_malformed("PROXY UNKNOWN \x80\r\n");
}

TEST(ProxyHeader, Version1HasAtMost107Bytes) {
    const std::string fits = "PROXY UNKNOWN " + std::string(107 - 16, 'x') + "\r\n";
    ASSERT_EQ(fits.size(), 107u);
    expect_header(fits);
    expect_malformed("PROXY UNKNOWN " + std::string(107 - 15, 'x') + "\r\n");
    expect_malformed("PROXY UNKNOWN " + std::string(107 - 14, 'x'));
}

TEST(ProxyHeader, Version2NamesBothEnds) {
    const Header four = expect_header(binary(0x21, 0x11, kFour));
    EXPECT_EQ(four.source.to_string(), "192.0.2.1:1234");
    EXPECT_EQ(four.destination.to_string(), "10.0.0.1:443");
    const std::string six =
        "\x20\x01\x0d\xb8"s + std::string(11, '\0') + '\1' + std::string(15, '\0') + "\1\x04\xD2\x01\xBB"s;
    EXPECT_EQ(expect_header(binary(0x21, 0x21, six)).source.to_string(), "[2001:db8::1]:1234");
}

TEST(ProxyHeader, Version2Unix) {
    const std::string paths(216, 'x');
    EXPECT_EQ(expect_header(binary(0x21, 0x31, paths)).source, Address::unix_domain());
    expect_malformed(binary(0x21, 0x31, paths.substr(1)));
}

TEST(ProxyHeader, Version2LocalAndUnspecifiedNameNobody) {
    EXPECT_TRUE(expect_header(binary(0x20, 0x00, "")).is_anonymous);
    EXPECT_TRUE(expect_header(binary(0x20, 0x11, kFour)).is_anonymous);
    EXPECT_TRUE(expect_header(binary(0x20, 0x11, "")).is_anonymous);
    EXPECT_TRUE(expect_header(binary(0x21, 0x00, "")).is_anonymous);
    EXPECT_TRUE(expect_header(binary(0x21, 0x00, "anything")).is_anonymous);
    EXPECT_TRUE(expect_header(binary(0x21, 0x10, kFour)).is_anonymous);
}

TEST(ProxyHeader, Version2FurtherFieldsArePassedOver) {
    const std::string tls = "\x20\x00\x08\x07\0\0\0\0\x21\x00\x00"s;
    const Header header = expect_header(binary(0x21, 0x11, std::string(kFour) + tls));
    EXPECT_EQ(header.source.to_string(), "192.0.2.1:1234");
}

TEST(ProxyHeader, Version2IsStrict) {
    expect_malformed(binary(0x11, 0x11, kFour));
    expect_malformed(binary(0x22, 0x11, kFour));
    expect_malformed(binary(0x31, 0x11, kFour));
    expect_malformed(binary(0x21, 0x41, kFour));
    expect_malformed(binary(0x21, 0x13, kFour));
    expect_malformed(binary(0x21, 0x11, kFour.substr(1)));
    expect_malformed(binary(0x21, 0x21, kFour));
}

TEST(ProxyHeader, Version2HasAtMost4096Bytes) {
    expect_header(binary(0x20, 0x00, std::string(kMaxHeaderBytes - 16, 'x')));
    Header header;
    EXPECT_EQ(read_header(binary(0x20, 0x00, std::string(kMaxHeaderBytes - 15, 'x')).substr(0, 16), header),
              Verdict::kMalformed);
}

TEST(ProxyHeader, WhatBeginsOtherwiseIsNone) {
    Header header;
    for (std::string_view bytes : {"GET / HTTP/1.1\r\n"sv, "POST"sv, "PROXy"sv, "\r\n\r\n\r\n"sv,
                                   "\x16\x03\x01"sv, "proxy "sv, " PROXY"sv, "\0"sv}) {
        EXPECT_EQ(read_header(bytes, header), Verdict::kNoHeader) << bytes;
    }
    for (std::string_view bytes : {""sv, "P"sv, "PROXY"sv, "\r\n"sv, "\r\n\r\n\0\r\nQUIT"sv})
        EXPECT_EQ(read_header(bytes, header), Verdict::kNeedMore) << bytes;
}

}  // namespace
}  // namespace sluice::proxy
