#include "protocol/http/compression_policy.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(CompressionPolicy, KnowsTypesByNameAndByFamily) {
    CompressionPolicy policy;
    policy.types = {"text/*", "application/json"};
    for (const char* type : {"text/html", "text/html; charset=utf-8", "TEXT/Plain", "text/event-stream",
                             "application/json", "Application/JSON ;charset=x"})
        EXPECT_TRUE(policy.takes_type(type)) << type;
    for (const char* type : {"", "text", "textile/x", "application/json5", "application/octet-stream", "*/*"})
        EXPECT_FALSE(policy.takes_type(type)) << type;
}

TEST(CompressionPolicy, UsualTypesArePatterns) {
    for (const std::string_view type : compressible_types())
        EXPECT_TRUE(is_type_pattern(type)) << type;
    for (const char* wrong : {"", "text", "text/", "/html", "*/*", "*/html", "text/h*", "Text/html",
                              "text/html; charset=utf-8", "text/html/x", "text /html"})
        EXPECT_FALSE(is_type_pattern(wrong)) << wrong;
}

TEST(CompressionPolicy, FieldsMayForbidIt) {
    std::string_view type;
    EXPECT_TRUE(
        allows_encoding("X: y\r\nContent-Type: text/html\r\nCache-Control: no-cache, max-age=1\r\n", type));
    EXPECT_EQ("text/html", type);
    EXPECT_TRUE(allows_encoding("", type));
    EXPECT_EQ("", type);
    for (const char* line : {"content-encoding: br\r\n", "Content-Range: bytes 0-1/2\r\n",
                             "cache-control: private, No-Transform\r\n", "Repr-Digest: sha-256=:YQ==:\r\n",
                             "Content-Digest: x\r\n", "Digest: x\r\n", "Content-MD5: x\r\n"}) {
        EXPECT_FALSE(allows_encoding("Content-Type: text/html\r\n" + std::string(line) + "X: y\r\n", type))
            << line;
    }
    EXPECT_TRUE(allows_encoding("X-Content-Encoding: br\r\nCache-Control: no-transformer\r\n", type));
}

TEST(CompressionPolicy, StrongTagsTellEncodingsApart) {
    EXPECT_EQ("\"a-gzip\"", entity_tag_of("\"a\"", Coding::kGzip));
    EXPECT_EQ("\"-br\"", entity_tag_of("\"\"", Coding::kBrotli));
    EXPECT_EQ("\"a\"", entity_tag_of("\"a\"", Coding::kIdentity));
    EXPECT_EQ("W/\"a\"", entity_tag_of("W/\"a\"", Coding::kZstd));
    EXPECT_EQ("", entity_tag_of("", Coding::kZstd));
}

}  // namespace
}  // namespace sluice::http
