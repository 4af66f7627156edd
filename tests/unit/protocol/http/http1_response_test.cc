#include "protocol/http/http1_response.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace sluice::http1 {
namespace {

constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";

/// Writes into a heap block of exactly the promised bound, so that the sanitiser sees a write past it.
std::string write(const ResponseHead& head, std::string_view date = kDate) {
    std::vector<char> out(head_bound(head));
    const size_t size = write_head(head, date, out);
    EXPECT_LE(size, out.size());
    return {out.data(), size};
}

std::string chunk_head(uint64_t size) {
    char out[kChunkHeadBound];
    return {out, write_chunk_head(size, out)};
}

TEST(Http1Response, Rfc9112_4_WholeHead) {
    EXPECT_EQ(write({.fields = "Content-Type: text/html\r\nX: y\r\n", .length = 12}),
              "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/html\r\nX: y\r\n"
              "Content-Length: 12\r\n\r\n");
}

TEST(Http1Response, Rfc9112_4_AnUnknownStatusKeepsTheSpace) {
    EXPECT_EQ(write({.status = 299}, ""), "HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(reason_phrase(299), "");
    EXPECT_EQ(reason_phrase(404), "Not Found");
}

TEST(Http1Response, TheBoundHoldsForTheLongestHead) {
    for (int status = 100; status <= 999; ++status) {
        ResponseHead head;
        head.status = static_cast<uint16_t>(status);
        head.length = UINT64_MAX;
        for (uint8_t minor : {0, 1}) {
            for (bool keep_alive : {false, true}) {
                head.version_minor = minor;
                head.keep_alive = keep_alive;
                const std::string text = write(head);
                ASSERT_TRUE(text.ends_with("\r\n\r\n"));
                ASSERT_TRUE(text.starts_with("HTTP/1.1 " + std::to_string(status) + " "));
            }
        }
    }
    EXPECT_NE(write({.length = UINT64_MAX}).find("Content-Length: 18446744073709551615\r\n"),
              std::string::npos);
}

TEST(Http1Response, Rfc9112_9_6_Connection) {
    EXPECT_EQ(write({.keep_alive = false}, ""),
              "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(write({.version_minor = 0}, ""),
              "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(write({.keep_alive = false, .version_minor = 0}, ""),
              "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST(Http1Response, Rfc9112_6_1_ChunkedOnlyForHttp11) {
    const ResponseHead modern{.framing = Framing::kChunked};
    EXPECT_EQ(write(modern, ""), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    EXPECT_TRUE(uses_chunks(modern));
    EXPECT_TRUE(stays_open(modern));
    const ResponseHead old{.framing = Framing::kChunked, .version_minor = 0};
    EXPECT_EQ(write(old, ""), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    EXPECT_FALSE(uses_chunks(old));
    EXPECT_FALSE(stays_open(old));
}

TEST(Http1Response, Rfc9112_6_3_ABodyThatTheConnectionEnds) {
    const ResponseHead head{.framing = Framing::kNone};
    EXPECT_EQ(write(head, ""), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    EXPECT_FALSE(stays_open(head));
}

TEST(Http1Response, Rfc9110_8_6_NoFramingIn1xxAnd204) {
    for (Framing framing : {Framing::kLength, Framing::kChunked, Framing::kNone, Framing::kNoBody}) {
        const ResponseHead none{.status = 204, .framing = framing, .length = 5};
        EXPECT_EQ(write(none, ""), "HTTP/1.1 204 No Content\r\n\r\n");
        EXPECT_FALSE(uses_chunks(none));
        EXPECT_TRUE(stays_open(none));
        EXPECT_EQ(write({.status = 101,
                         .fields = "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                         .framing = framing,
                         .keep_alive = false}),
                  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        EXPECT_EQ(write({.status = 205, .framing = framing, .length = 5}, ""),
                  "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n");
    }
}

TEST(Http1Response, Rfc9110_15_4_5_NotModifiedMayTellALength) {
    EXPECT_EQ(write({.status = 304, .length = 5}, ""),
              "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n");
    EXPECT_EQ(write({.status = 304, .framing = Framing::kChunked}, ""), "HTTP/1.1 304 Not Modified\r\n\r\n");
    EXPECT_EQ(write({.framing = Framing::kNoBody}, ""), "HTTP/1.1 200 OK\r\n\r\n");
}

TEST(Http1Response, StatusesWithoutBody) {
    for (uint16_t status : {100, 101, 103, 204, 205, 304})
        EXPECT_FALSE(status_has_body(status)) << status;
    for (uint16_t status : {200, 206, 301, 303, 400, 404, 500})
        EXPECT_TRUE(status_has_body(status)) << status;
}

TEST(Http1Response, Rfc9112_7_1_ChunkHeads) {
    EXPECT_EQ(chunk_head(1), "1\r\n");
    EXPECT_EQ(chunk_head(15), "f\r\n");
    EXPECT_EQ(chunk_head(16), "10\r\n");
    EXPECT_EQ(chunk_head(0xabcdef), "abcdef\r\n");
    EXPECT_EQ(chunk_head(UINT64_MAX), "ffffffffffffffff\r\n");
}

}  // namespace
}  // namespace sluice::http1
