#include "protocol/http/static_path.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::http {
namespace {

std::string resolve(std::string_view path, std::string_view prefix = "/") {
    std::string out(path.size(), '\0');
    const auto found = static_path(path, prefix, out.data());
    return found ? std::string(*found) : "refused";
}

TEST(StaticPath, BelowThePrefix) {
    EXPECT_EQ(resolve("/a.txt"), "a.txt");
    EXPECT_EQ(resolve("/a/b/c"), "a/b/c");
    EXPECT_EQ(resolve("/static/a.txt", "/static/"), "a.txt");
    EXPECT_EQ(resolve("/static", "/static/"), "refused");
    EXPECT_EQ(resolve("/staticx/a", "/static/"), "refused");
    EXPECT_EQ(resolve("/other/a", "/static/"), "refused");
    EXPECT_EQ(resolve("*", "/"), "refused");
    EXPECT_EQ(resolve("", "/"), "refused");
}

TEST(StaticPath, Folders) {
    EXPECT_EQ(resolve("/"), "");
    EXPECT_EQ(resolve("/static/", "/static/"), "");
    EXPECT_EQ(resolve("/a/b/"), "a/b/");
}

TEST(StaticPath, EscapesAreDecodedOnce) {
    EXPECT_EQ(resolve("/a%20b+c"), "a b+c");
    EXPECT_EQ(resolve("/%C3%A4"), "\xc3\xa4");
    EXPECT_EQ(resolve("/%61"), "a");
    EXPECT_EQ(resolve("/%252e%252e/x"), "%2e%2e/x");
    for (const char* path : {"/%", "/%4", "/%zz", "/a%2", "/%%41"})
        EXPECT_EQ(resolve(path), "refused") << path;
}

TEST(StaticPath, NoWayUp) {
    for (const char* path : {"/..", "/../etc/passwd", "/a/../b", "/a/..", "/%2e%2e/x", "/%2E%2E/x", "/.%2e/x",
                             "/a/%2e./x", "/.", "/./a", "/a/./b", "/a/%2e", "/..%2fx", "/a%2fb", "/a%2Fb",
                             "/%2f", "/..%5cx", "/a\\b", "/a%5c..%5cb"})
        EXPECT_EQ(resolve(path), "refused") << path;
}

TEST(StaticPath, NoHiddenFiles) {
    for (const char* path : {"/.git/config", "/.env", "/a/.htaccess", "/%2eenv", "/...", "/.well-knownx",
                             "/a/.well-known/b", "/.well-known/.x"})
        EXPECT_EQ(resolve(path), "refused") << path;
    EXPECT_EQ(resolve("/.well-known/acme-challenge/x"), ".well-known/acme-challenge/x");
    EXPECT_EQ(resolve("/a.b./c..d"), "a.b./c..d") << "a dot elsewhere hides nothing";
}

TEST(StaticPath, NoEmptySegmentsAndControlCharacters) {
    for (const char* path :
         {"//", "//a", "/a//b", "/a//", "/%00", "/a%00.txt", "/a%0a", "/a%1f", "/a%7f", "/a\tb"})
        EXPECT_EQ(resolve(path), "refused") << path;
}

}  // namespace
}  // namespace sluice::http
