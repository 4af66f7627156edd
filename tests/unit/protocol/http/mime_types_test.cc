#include "protocol/http/mime_types.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

TEST(MimeTypes, ByTheExtension) {
    EXPECT_EQ(mime_type("index.html"), "text/html; charset=utf-8");
    EXPECT_EQ(mime_type("/a/b.c/app.js"), "text/javascript; charset=utf-8");
    EXPECT_EQ(mime_type("photo.JPEG"), "image/jpeg");
    EXPECT_EQ(mime_type("archive.tar.gz"), "application/gzip");
    EXPECT_EQ(mime_type("a.7z"), "application/x-7z-compressed") << "the first of the table";
    EXPECT_EQ(mime_type("a.3gp"), "video/3gpp");
    EXPECT_EQ(mime_type("a.zst"), "application/zstd") << "the last of the table";
    EXPECT_EQ(mime_type("site.webmanifest"), "application/manifest+json") << "the longest of the table";
    EXPECT_EQ(mime_type("font.woff2"), "font/woff2");
}

TEST(MimeTypes, WhatIsNotKnownIsBytes) {
    for (const char* name :
         {"", "html", "a.", "a.unknown", "a.html5", "a.htmlwithalongextension", "a.html/b", "/", "."})
        EXPECT_EQ(mime_type(name), "application/octet-stream") << name;
}

}  // namespace
}  // namespace sluice::http
