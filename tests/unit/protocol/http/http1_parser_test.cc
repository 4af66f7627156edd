#include "protocol/http/http1_parser.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::http1 {
namespace {

using http::Method;
using Status = HeadParser::Status;

struct Parsed {
    Status status = Status::kNeedMore;
    http::Error error;
    http::RequestHead head;
    size_t head_bytes = 0;
    std::string text;  // the buffer as the parser left it
    std::vector<http::Field> fields;

    std::string_view in(http::Span16 span) const { return span.in(text.data()); }
    std::string_view value(std::string_view name) const {
        for (const http::Field& field : fields) {
            if (in(field.name) == name) return in(field.value);
        }
        return "(no such field)";
    }
};

Parsed collect(HeadParser& parser, Status status, std::string text) {
    Parsed result;
    result.status = status;
    result.error = parser.error();
    result.head = parser.head();
    if (status == Status::kDone) result.head_bytes = parser.head_bytes();
    result.text = std::move(text);
    result.fields.assign(parser.fields().begin(), parser.fields().end());
    return result;
}

/// Feeds growing prefixes of the text, each in memory of its own so that nothing behind it can be read and no
/// address stays valid. Between two calls the parser is moved, as it is when a connection is parked.
Parsed parse_in_steps(std::string_view text, const std::vector<size_t>& ends, HeadLimits limits) {
    HeadParser parser(limits);
    std::string seen;
    Status status = Status::kNeedMore;
    for (size_t end : ends) {
        std::vector<char> buffer(seen.begin(), seen.end());
        buffer.insert(buffer.end(), text.begin() + seen.size(), text.begin() + end);
        status = parser.parse(buffer);
        seen.assign(buffer.begin(), buffer.end());
        if (status != Status::kNeedMore) break;
        HeadParser parked = std::move(parser);
        parser = std::move(parked);
    }
    return collect(parser, status, seen);
}

void expect_same(const Parsed& whole, const Parsed& split, std::string_view text, size_t at) {
    const std::string where =
        "split at " + std::to_string(at) + " of " + testing::PrintToString(std::string(text.substr(0, 200)));
    ASSERT_EQ(whole.status, split.status) << where;
    ASSERT_EQ(whole.error.status, split.error.status) << where << split.error.reason;
    ASSERT_STREQ(whole.error.reason, split.error.reason) << where;
    if (whole.status != Status::kDone) return;
    ASSERT_EQ(whole.head_bytes, split.head_bytes) << where;
    ASSERT_EQ(whole.fields.size(), split.fields.size()) << where;
    for (size_t i = 0; i < whole.fields.size(); ++i) {
        ASSERT_EQ(whole.in(whole.fields[i].name), split.in(split.fields[i].name)) << where;
        ASSERT_EQ(whole.in(whole.fields[i].value), split.in(split.fields[i].value)) << where;
    }
    ASSERT_EQ(whole.in(whole.head.path), split.in(split.head.path)) << where;
    ASSERT_EQ(whole.in(whole.head.query), split.in(split.head.query)) << where;
    ASSERT_EQ(whole.in(whole.head.host), split.in(split.head.host)) << where;
    ASSERT_EQ(whole.head.content_length, split.head.content_length) << where;
    ASSERT_EQ(whole.head.method, split.head.method) << where;
    ASSERT_EQ(whole.head.keep_alive, split.head.keep_alive) << where;
    ASSERT_EQ(whole.head.chunked, split.head.chunked) << where;
}

/// Parses in one piece, in two pieces cut at every place, and byte by byte; the cuts must make no
/// difference.
Parsed parse(std::string_view text, HeadLimits limits = {}) {
    const Parsed whole = parse_in_steps(text, {text.size()}, limits);
    if (text.size() <= 2000) {
        for (size_t at = 0; at <= text.size(); ++at) {
            expect_same(whole, parse_in_steps(text, {at, text.size()}, limits), text, at);
            if (testing::Test::HasFatalFailure()) return whole;
        }
    }
    HeadParser parser(limits);
    std::vector<char> buffer(text.begin(), text.end());
    Status status = Status::kNeedMore;
    for (size_t end = 1; end <= buffer.size() && status == Status::kNeedMore; ++end) {
        status = parser.parse(std::span<char>(buffer).first(end));
    }
    expect_same(whole, collect(parser, status, std::string(buffer.begin(), buffer.end())), text, SIZE_MAX);
    return whole;
}

Parsed accept(std::string_view text) {
    Parsed result = parse(text);
    EXPECT_EQ(result.status, Status::kDone)
        << testing::PrintToString(std::string(text)) << result.error.reason;
    return result;
}

void refuse(std::string_view text, uint16_t status = 400) {
    const Parsed result = parse(text);
    EXPECT_EQ(result.status, Status::kError) << testing::PrintToString(std::string(text));
    EXPECT_EQ(result.error.status, status)
        << testing::PrintToString(std::string(text)) << result.error.reason;
}

std::string with_line(std::string_view line) {
    return "GET / HTTP/1.1\r\nHost: a.test\r\n" + std::string(line) + "\r\n\r\n";
}

std::string post(std::string_view lines) {
    return "POST / HTTP/1.1\r\nHost: a.test\r\n" + std::string(lines) + "\r\n\r\n";
}

std::string with_target(std::string_view target) {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: a.test\r\n\r\n";
}

TEST(Http1Parser, Rfc9112_2_1_ReadsAWholeHead) {
    const Parsed r = accept(
        "GET /shop/cart?item=5&x=y HTTP/1.1\r\nHost: shop.test:8080\r\nUser-Agent:curl/8 (x)\r\n"
        "X-EMPTY:\r\nAccept: \t a, b \t\r\n\r\n");
    EXPECT_EQ(r.head.method, Method::kGet);
    EXPECT_EQ(r.in(r.head.method_text), "GET");
    EXPECT_EQ(r.in(r.head.target), "/shop/cart?item=5&x=y");
    EXPECT_EQ(r.in(r.head.path), "/shop/cart");
    EXPECT_EQ(r.in(r.head.query), "item=5&x=y");
    EXPECT_EQ(r.in(r.head.host), "shop.test:8080");
    EXPECT_EQ(r.head.version_minor, 1);
    EXPECT_EQ(r.head.field_count, 4);
    EXPECT_EQ(r.head.content_length, http::kNoLength);
    EXPECT_FALSE(r.head.has_body);
    EXPECT_TRUE(r.head.keep_alive);
    EXPECT_FALSE(r.head.upgrade_websocket);
    EXPECT_EQ(r.value("user-agent"), "curl/8 (x)");
    EXPECT_EQ(r.value("x-empty"), "");
    EXPECT_EQ(r.value("accept"), "a, b");
    EXPECT_EQ(r.head_bytes, r.text.size());
}

TEST(Http1Parser, Rfc9112_9_3_2_LeavesWhatFollowsTheHead) {
    const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const Parsed r = accept(head + "GET /next HTTP/1.1\r\nHost: b\r\n\r\n");
    EXPECT_EQ(r.head_bytes, head.size());
    EXPECT_EQ(r.head.head_bytes, head.size());
    EXPECT_EQ(r.fields.size(), 1u);
}

TEST(Http1Parser, IncompleteHeadsNeedMore) {
    const std::string head = "POST /x HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";
    for (size_t size = 0; size < head.size(); ++size) {
        EXPECT_EQ(parse_in_steps(head, {size}, {}).status, Status::kNeedMore) << size;
    }
}

TEST(Http1Parser, ResetStartsAnew) {
    HeadParser parser;
    std::string first = "POST / HTTP/1.0\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\n";
    std::string bad = "GET / HTTP/1.1\r\nbad line\r\n";
    std::string second = "GET /b HTTP/1.1\r\nHost: b\r\n\r\n";
    EXPECT_EQ(parser.parse(first), Status::kDone);
    EXPECT_EQ(parser.parse(first), Status::kDone);
    parser.reset();
    EXPECT_FALSE(parser.started());
    EXPECT_EQ(parser.parse(bad), Status::kError);
    EXPECT_EQ(parser.parse(bad), Status::kError);
    parser.reset();
    EXPECT_EQ(parser.parse(second), Status::kDone);
    EXPECT_TRUE(parser.started());
    EXPECT_FALSE(parser.error());
    EXPECT_EQ(parser.fields().size(), 1u);
    EXPECT_EQ(parser.head().host.in(second.data()), "b");
    EXPECT_TRUE(parser.head().keep_alive);
    EXPECT_FALSE(parser.head().has_body);
}

TEST(Http1Parser, Rfc9112_2_2_SomeEmptyLinesInFront) {
    const Parsed r = accept("\r\n\r\nGET /a?b HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(r.in(r.head.path), "/a");
    EXPECT_EQ(r.in(r.head.query), "b");
    EXPECT_EQ(r.head_bytes, r.text.size());
    accept("\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("   \r\n\r\n");
}

TEST(Http1Parser, Rfc9112_2_2_NoBareLf) {
    refuse("GET / HTTP/1.1\nHost: a\r\n\r\n");
    refuse("GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n");
    refuse("GET / HTTP/1.1\r\nHost: a\r\n\n");
    refuse("GET / HTTP/1.1\r\nHost: a\r\nX:\n\r\n");
    refuse("GET / HTTP/1.1\r\nHost\n: a\r\n\r\n");
    refuse("GET /\nHost: a\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_2_2_NoBareCr) {
    refuse("GET / HTTP/1.1\rHost: a\r\n\r\n");
    refuse("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n");
    refuse(with_line("X: a\rb"));
    refuse(with_line("X: \ra"));
    refuse(with_line("X\r: a"));
    refuse("GET / HTTP/1.1\r\nHost: a\r\n\rX: y\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_2_2_NoBlankBeforeTheFirstField) {
    refuse("GET / HTTP/1.1\r\n Host: a\r\n\r\n");
    refuse("GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/1.1\r\n\tX: y\r\nHost: a\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_2_3_Versions) {
    EXPECT_EQ(accept("GET / HTTP/1.0\r\n\r\n").head.version_minor, 0);
    EXPECT_EQ(accept("GET / HTTP/1.2\r\nHost: a\r\n\r\n").head.version_minor, 1);
    refuse("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505);
    refuse("GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505);
    refuse("GET / HTTP/1\r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/1.\r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/1.10\r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/01.1\r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/ 1.1\r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/1,1\r\nHost: a\r\n\r\n");
    refuse("GET / http/1.1\r\nHost: a\r\n\r\n");
    refuse("GET / HTTPS/1.1\r\nHost: a\r\n\r\n");
    refuse("GET / HTTP/1.1 \r\nHost: a\r\n\r\n");
    refuse("GET /\r\n");
    refuse("GET / \r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_OneSpaceBetweenTheParts) {
    refuse("GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET /  HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET /\tHTTP/1.1\r\nHost: a\r\n\r\n");
    refuse(" GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET\r\nHost: a\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_1_Methods) {
    const std::pair<const char*, Method> known[] = {
        {"GET", Method::kGet},
        {"HEAD", Method::kHead},
        {"POST", Method::kPost},
        {"PUT", Method::kPut},
        {"DELETE", Method::kDelete},
        {"OPTIONS", Method::kOptions},
        {"TRACE", Method::kTrace},
        {"PATCH", Method::kPatch},
        {"get", Method::kOther},
        {"PROPFIND", Method::kOther},
        {"M-SEARCH", Method::kOther},
        {"GETT", Method::kOther},
        {"!#$%&'*+-.^_`|~9", Method::kOther},
    };
    for (const auto& [name, method] : known) {
        const Parsed r = accept(std::string(name) + " / HTTP/1.1\r\nHost: a\r\n\r\n");
        EXPECT_EQ(r.head.method, method) << name;
        EXPECT_EQ(r.in(r.head.method_text), name);
    }
    for (char c : std::string_view("\"(),/:;<=>?@[\\]{}\x7f\x01\x80\0", 21)) {
        refuse(std::string("GE") + c + " / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    const std::string longest(HeadParser::kMaxMethodBytes, 'M');
    accept(longest + " / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse(longest + "M / HTTP/1.1\r\nHost: a\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_2_1_OriginForm) {
    Parsed r = accept(with_target("/"));
    EXPECT_EQ(r.in(r.head.path), "/");
    EXPECT_TRUE(r.head.query.empty());
    r = accept(with_target("/?"));
    EXPECT_EQ(r.in(r.head.path), "/");
    EXPECT_TRUE(r.head.query.empty());
    EXPECT_EQ(r.in(r.head.target), "/?");
    r = accept(with_target("/a%20b/../c;v=1?x?y=/&z=100%&{}`\\"));
    EXPECT_EQ(r.in(r.head.path), "/a%20b/../c;v=1");
    EXPECT_EQ(r.in(r.head.query), "x?y=/&z=100%&{}`\\");
    r = accept(with_target("//other.test/x"));
    EXPECT_EQ(r.in(r.head.path), "//other.test/x");
    EXPECT_EQ(r.in(r.head.host), "a.test");
}

TEST(Http1Parser, Rfc9112_3_2_BadBytesInTheTarget) {
    refuse(with_target("/a#b"));
    refuse(with_target("/a?b#c"));
    refuse(with_target("/a\\b"));
    refuse(with_target("/caf\xc3\xa9"));
    refuse(with_target("/?caf\xc3\xa9"));
    refuse(with_target("/a\"b"));
    refuse(with_target("/?<a>"));
    refuse(with_target(std::string_view("/a\0b", 4)));
    refuse(with_target("/a\x7f"));
    refuse(with_target("/%"));
    refuse(with_target("/%4"));
    refuse(with_target("/%4g"));
    refuse(with_target("/a%00"));
    refuse(with_target("/a%0d%0ab"));
    refuse(with_target("/%0A"));
    accept(with_target("/%09%7f?%00%0d%0a"));
}

TEST(Http1Parser, Rfc9112_3_2_2_AbsoluteForm) {
    Parsed r = accept(with_target("http://b.test:81/x/y?q"));
    EXPECT_EQ(r.in(r.head.host), "b.test:81");
    EXPECT_EQ(r.in(r.head.path), "/x/y");
    EXPECT_EQ(r.in(r.head.query), "q");
    r = accept(with_target("HTTPS://b.test"));
    EXPECT_EQ(r.in(r.head.host), "b.test");
    EXPECT_EQ(r.in(r.head.path), "/");
    r = accept(with_target("http://b.test?q=/"));
    EXPECT_EQ(r.in(r.head.host), "b.test");
    EXPECT_EQ(r.in(r.head.path), "/");
    EXPECT_EQ(r.in(r.head.query), "q=/");
    r = accept(with_target("http://[::1]:80/"));
    EXPECT_EQ(r.in(r.head.host), "[::1]:80");
    refuse(with_target("http://"));
    refuse(with_target("http:///x"));
    refuse(with_target("http:/b.test/"));
    refuse(with_target("ftp://b.test/"));
    refuse(with_target("http://user@b.test/"));
    refuse(with_target("http://b.test:port/"));
    refuse(with_target("http://b.test/%zz"));
    refuse(with_target("x"));
    // The target's host wins, but the field has to be there and be valid.
    refuse("GET http://b.test/ HTTP/1.1\r\n\r\n");
    refuse("GET http://b.test/ HTTP/1.1\r\nHost: a b\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_2_3_AuthorityFormIsForConnect) {
    const Parsed r = accept("CONNECT b.test:443 HTTP/1.1\r\nHost: b.test:443\r\n\r\n");
    EXPECT_EQ(r.head.method, Method::kConnect);
    EXPECT_EQ(r.in(r.head.host), "b.test:443");
    EXPECT_TRUE(r.head.path.empty());
    accept("CONNECT [::1]:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("CONNECT b.test HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("CONNECT b.test: HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("CONNECT [::1] HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("CONNECT b.test:1?x HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("CONNECT http://b.test:1/ HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("GET b.test:443 HTTP/1.1\r\nHost: a\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_2_4_AsteriskFormIsForOptions) {
    const Parsed r = accept("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(r.in(r.head.path), "*");
    refuse("GET * HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n");
    refuse("OPTIONS *?a HTTP/1.1\r\nHost: a\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_2_HostExactlyOnce) {
    refuse("GET / HTTP/1.1\r\n\r\n");
    refuse("GET / HTTP/1.1\r\nX-Host: a\r\n\r\n");
    refuse("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    refuse("GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n");
    refuse("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n");
    accept("GET / HTTP/1.0\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_3_2_HostIsValid) {
    for (const char* host : {"a", "a.test", "a_b.test", "1.2.3.4:80", "[::1]", "[::1]:8080", "a:", "a%20b"}) {
        const Parsed r = accept("GET / HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n");
        EXPECT_EQ(r.in(r.head.host), host);
    }
    for (const char* host :
         {"",     " ",  "u@a", "a/b",    "a b", "a, b", "a,b", "a:b",  "a:65536", "a:1:2",   "::1",
          "[::1", "[]", "[x]", "[::1]a", ":80", "a?b",  "a#b", "a\\b", "a%2",     "\xc3\xa9"}) {
        refuse("GET / HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n");
    }
}

TEST(Http1Parser, Rfc9112_5_FieldNamesAreTokensInLowerCase) {
    EXPECT_EQ(accept(with_line("X-!#$%&'*+.^_`|~09: v")).value("x-!#$%&'*+.^_`|~09"), "v");
    refuse(with_line(": v"));
    refuse(with_line("no colon"));
    refuse(with_line("NoColon"));
    for (char c : std::string_view("\"(),/;<=>?@[\\]{}\x7f\x01\x80\xff\0", 21)) {
        refuse(with_line(std::string("X") + c + "Y: v"));
    }
}

TEST(Http1Parser, Rfc9112_5_1_NoBlankBeforeTheColon) {
    refuse(with_line("X : v"));
    refuse(with_line("X\t: v"));
    refuse(with_line("X Y: v"));
    refuse(post("Transfer-Encoding : chunked"));
}

TEST(Http1Parser, Rfc9112_5_2_NoFolding) {
    refuse(with_line("X: a\r\n b"));
    refuse(with_line("X: a\r\n\tb"));
    refuse(with_line("X:\r\n a"));
    refuse(with_line("X: a\r\n "));
}

TEST(Http1Parser, Rfc9110_5_5_FieldValues) {
    EXPECT_EQ(accept(with_line("X: a\tb \xc3\xa9\xff ~")).value("x"), "a\tb \xc3\xa9\xff ~");
    EXPECT_EQ(accept(with_line("X:a:b")).value("x"), "a:b");
    EXPECT_EQ(accept(with_line("X:  \t ")).value("x"), "");
    for (int c = 0; c < 0x20; ++c) {
        if (c == '\t') continue;
        // The bad byte stands at several places, for the search looks at eight bytes at once.
        for (size_t before : {0u, 1u, 7u, 8u, 30u}) {
            refuse(with_line("X: " + std::string(before, 'a') + static_cast<char>(c) + "bcdefghijkl"));
        }
    }
    refuse(with_line("X: abcdefgh\x7f"));
    refuse(with_line("X: \x7f"));
}

TEST(Http1Parser, Rfc9110_8_6_ContentLength) {
    Parsed r = accept(post("Content-Length: 5"));
    EXPECT_EQ(r.head.content_length, 5u);
    EXPECT_TRUE(r.head.has_body);
    r = accept(post("CONTENT-LENGTH:\t0 "));
    EXPECT_EQ(r.head.content_length, 0u);
    EXPECT_FALSE(r.head.has_body);
    r = accept(post("Content-Length: 9223372036854775807"));
    EXPECT_EQ(r.head.content_length, 9223372036854775807u);
    for (const char* value : {"",
                              "+5",
                              "-1",
                              "-0",
                              "0x5",
                              "5, 5",
                              "5,5",
                              "5, 6",
                              "1 0",
                              "5.0",
                              "5e1",
                              "a",
                              "05",
                              "00",
                              "5;",
                              "1_0",
                              "9223372036854775808",
                              "18446744073709551616",
                              "99999999999999999999999999",
                              "\xd9\xa5"}) {
        refuse(post("Content-Length: " + std::string(value)));
    }
    refuse(post("Content-Length: 5\r\nContent-Length: 5"));
    refuse(post("Content-Length: 5\r\nX: y\r\ncontent-length: 6"));
}

TEST(Http1Parser, Rfc9112_6_1_TransferEncoding) {
    for (const char* value : {"chunked", "Chunked", " CHUNKED\t"}) {
        const Parsed r = accept(post("Transfer-Encoding: " + std::string(value)));
        EXPECT_TRUE(r.head.chunked);
        EXPECT_TRUE(r.head.has_body);
        EXPECT_EQ(r.head.content_length, http::kNoLength);
    }
    for (const char* value : {"gzip", "identity", "xchunked", "gzip, deflate", "gzip, chunked", "foo;a=b"}) {
        refuse(post("Transfer-Encoding: " + std::string(value)), 501);
    }
    for (const char* value :
         {"", ",", ", chunked", "chunked,", "chunked, chunked", "chunked, gzip", "chunked;a=b", "chunked ;",
          "\"chunked\"", "chunked chunked", "gzip,,chunked", "ch unked"}) {
        refuse(post("Transfer-Encoding: " + std::string(value)));
    }
    refuse(
        post("Transfer-Encoding: \x0b"
             "chunked"));
    refuse(post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"));
    refuse(post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"));
    refuse("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(Http1Parser, Rfc9112_6_3_TransferEncodingWithContentLength) {
    refuse(post("Transfer-Encoding: chunked\r\nContent-Length: 5"));
    refuse(post("Content-Length: 5\r\nTransfer-Encoding: chunked"));
    refuse(post("Content-Length: 0\r\nTransfer-Encoding: gzip"));
}

TEST(Http1Parser, Rfc3875_4_1_18_LookalikesOfFramingFields) {
    refuse(post("Content_Length: 5"));
    refuse(post("Content-Length: 5\r\nCONTENT_LENGTH: 99"));
    refuse(post("Transfer_Encoding: chunked"));
    EXPECT_EQ(accept(post("Content_Size: 5\r\nX_Content_Length: 5")).head.content_length, http::kNoLength);
}

TEST(Http1Parser, Rfc9110_9_3_NoBodyForTraceAndConnect) {
    refuse("TRACE / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
    refuse("CONNECT a:1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    accept("TRACE / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    EXPECT_TRUE(accept("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n").head.has_body);
}

TEST(Http1Parser, Rfc9110_5_3_ContentTypeIsNoList) {
    refuse(post("Content-Type: a/b\r\nContent-Type: c/d"));
    accept(post("Content-Type: a/b\r\nContent-Kind: c/d\r\nAccept: a/b\r\nAccept: c/d"));
}

TEST(Http1Parser, Rfc9112_9_3_Persistence) {
    EXPECT_TRUE(accept(with_line("Connection: keep-alive")).head.keep_alive);
    EXPECT_TRUE(accept(with_line("Connection: closed")).head.keep_alive);
    EXPECT_FALSE(accept(with_line("Connection: close")).head.keep_alive);
    EXPECT_FALSE(accept(with_line("Connection: foo,CLOSE , bar")).head.keep_alive);
    EXPECT_FALSE(accept(with_line("Connection: keep-alive\r\nConnection: close")).head.keep_alive);
    EXPECT_FALSE(accept("GET / HTTP/1.0\r\n\r\n").head.keep_alive);
    EXPECT_TRUE(accept("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").head.keep_alive);
    EXPECT_FALSE(accept("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n").head.keep_alive);
}

TEST(Http1Parser, Rfc9110_10_1_1_Expect) {
    EXPECT_TRUE(accept(post("Expect: 100-Continue\r\nContent-Length: 5")).head.expect_continue);
    EXPECT_TRUE(accept(post("Content-Length: 5\r\nExpect: 100-continue")).head.expect_continue);
    EXPECT_FALSE(accept(post("Expect: 100-continue\r\nContent-Length: 0")).head.expect_continue);
    EXPECT_FALSE(
        accept("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n").head.expect_continue);
    refuse(post("Expect: 200-ok\r\nContent-Length: 5"), 417);
    accept("POST / HTTP/1.0\r\nExpect: 200-ok\r\n\r\n");
}

TEST(Http1Parser, Rfc6455_4_2_1_WebSocketUpgrade) {
    EXPECT_TRUE(accept(with_line("Upgrade: websocket\r\nConnection: Upgrade")).head.upgrade_websocket);
    EXPECT_TRUE(accept(with_line("Connection: keep-alive, upgrade\r\nUpgrade: h2c, WebSocket"))
                    .head.upgrade_websocket);
    EXPECT_FALSE(accept(with_line("Upgrade: websocket")).head.upgrade_websocket);
    EXPECT_FALSE(accept(with_line("Connection: Upgrade")).head.upgrade_websocket);
    EXPECT_FALSE(accept(with_line("Upgrade: websockets\r\nConnection: Upgrade")).head.upgrade_websocket);
    EXPECT_FALSE(accept(post("Upgrade: websocket\r\nConnection: Upgrade")).head.upgrade_websocket);
    EXPECT_FALSE(accept("GET / HTTP/1.0\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
                     .head.upgrade_websocket);
    EXPECT_FALSE(accept(with_line("Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 1"))
                     .head.upgrade_websocket);
}

TEST(Http1Parser, LimitOfHeadBytes) {
    const std::string head = with_line("X-Long: " + std::string(100, 'v'));
    HeadLimits limits;
    limits.max_head_bytes = static_cast<uint32_t>(head.size());
    EXPECT_EQ(parse(head, limits).status, Status::kDone);
    EXPECT_EQ(parse(head + "body", limits).status, Status::kDone);
    limits.max_head_bytes = static_cast<uint32_t>(head.size() - 1);
    Parsed r = parse(head, limits);
    EXPECT_EQ(r.status, Status::kError);
    EXPECT_EQ(r.error.status, 431);
    // A fault before the limit counts; a fault behind the limit does not.
    limits.max_head_bytes = 60;
    EXPECT_EQ(parse(with_line("X: " + std::string(40, 'v') + '\x01'), limits).error.status, 431);
    EXPECT_EQ(parse(with_line("X\x01: " + std::string(60, 'v')), limits).error.status, 400);
    limits.max_head_bytes = 1 << 20;
    EXPECT_EQ(parse(with_line("X: " + std::string(70000, 'v')), limits).error.status, 431);
}

TEST(Http1Parser, LimitOfFields) {
    HeadLimits limits;
    limits.max_fields = 3;
    EXPECT_EQ(parse(with_line("A: 1\r\nB: 2"), limits).status, Status::kDone);
    EXPECT_EQ(parse(with_line("A: 1\r\nB: 2\r\nC: 3"), limits).error.status, 431);
    EXPECT_EQ(parse(with_line("A: 1\r\nB: 2\r\nbroken"), limits).error.status, 431);
}

TEST(Http1Parser, LimitOfTargetBytes) {
    HeadLimits limits;
    limits.max_target_bytes = 10;
    EXPECT_EQ(parse(with_target("/123456789"), limits).status, Status::kDone);
    EXPECT_EQ(parse(with_target("/12345678?"), limits).status, Status::kDone);
    EXPECT_EQ(parse(with_target("/123?56789"), limits).status, Status::kDone);
    for (const char* target : {"/1234567890", "/123456789?", "/?123456789", "/123456789012345"}) {
        EXPECT_EQ(parse(with_target(target), limits).error.status, 414) << target;
    }
    limits.max_target_bytes = 60000;
    limits.max_head_bytes = 100;
    EXPECT_EQ(parse(with_target("/" + std::string(200, 'a')), limits).error.status, 414);
}

TEST(Http1Parser, LongHeadsByteByByte) {
    std::string head = "GET /" + std::string(8191, 'a') + " HTTP/1.1\r\nHost: a.test\r\n";
    for (int i = 0; i < 98; ++i)
        head += "X-Field-" + std::to_string(i) + ": " + std::string(60, 'v') + "\r\n";
    head += "Last: yes\r\n\r\n";
    const Parsed r = accept(head);
    EXPECT_EQ(r.fields.size(), 100u);
    EXPECT_EQ(r.value("x-field-97"), std::string(60, 'v'));
    EXPECT_EQ(r.value("last"), "yes");
    EXPECT_EQ(r.head_bytes, head.size());
    HeadLimits limits;
    limits.max_head_bytes = 65535;
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
    const std::string longest = start + std::string(65535 - start.size() - 4, 'v') + "\r\n\r\n";
    const Parsed l = parse(longest, limits);
    EXPECT_EQ(l.status, Status::kDone);
    EXPECT_EQ(l.head_bytes, 65535u);
    EXPECT_EQ(l.value("x").size(), 65535 - start.size() - 4);
}

TEST(Http1Parser, WrongBytesAreRefusedBeforeTheHeadIsComplete) {
    for (const char* start : {"G@", "GET /\x01", "GET / HTTX", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\n ",
                              "GET / HTTP/1.1\r\nHost :", "GET / HTTP/1.1\r\nHost: a b\r\n",
                              "GET / HTTP/1.1\r\nX: \x01", "GET / HTTP/1.1\r\nContent-Length: x\r\n"}) {
        refuse(start);
    }
}

}  // namespace
}  // namespace sluice::http1
