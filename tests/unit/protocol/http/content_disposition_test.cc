// RFC 6266 and RFC 8187.
#include "protocol/http/content_disposition.h"

#include <gtest/gtest.h>
#include <string>

namespace sluice::http {
namespace {

std::string value(std::string_view name) {
    std::string text(attachment_bound(name), '\0');
    text.resize(write_attachment(name, text.data()));
    return text;
}

TEST(ContentDisposition, PlainNamesHaveOneForm) {
    EXPECT_EQ(value("a.txt"), "attachment; filename=\"a.txt\"");
    EXPECT_EQ(value("with blank;=,.txt"), "attachment; filename=\"with blank;=,.txt\"");
}

TEST(ContentDisposition, OthersHaveBoth) {
    EXPECT_EQ(value("na\xc3\xafve.txt"),
              "attachment; filename=\"na_ve.txt\"; filename*=UTF-8''na%C3%AFve.txt");
    EXPECT_EQ(value("\xe2\x82\xac"), "attachment; filename=\"_\"; filename*=UTF-8''%E2%82%AC");
}

TEST(ContentDisposition, NothingGetsOutOfTheQuotes) {
    EXPECT_EQ(value("a\"b"), "attachment; filename=\"a_b\"; filename*=UTF-8''a%22b");
    EXPECT_EQ(value("100%.txt"), "attachment; filename=\"100_.txt\"; filename*=UTF-8''100%25.txt");
    EXPECT_EQ(value("it's \"(1)"),
              "attachment; filename=\"it's _(1)\"; filename*=UTF-8''it%27s%20%22%281%29");
}

TEST(ContentDisposition, TheBoundHolds) {
    const std::string longest(1000, '"');
    EXPECT_LE(value(longest).size(), attachment_bound(longest));
    const std::string umlauts = [] {
        std::string text;
        for (int i = 0; i < 500; ++i)
            text += "\xc3\xa4";
        return text;
    }();
    EXPECT_LE(value(umlauts).size(), attachment_bound(umlauts));
}

TEST(ContentDisposition, WhatIsNoName) {
    EXPECT_TRUE(is_file_name("a"));
    EXPECT_TRUE(is_file_name("..."));
    for (const std::string_view name : {"", ".", "..", "a/b", "a\\b", "a\nb", "a\x7f", "\xff"})
        EXPECT_FALSE(is_file_name(name)) << name;
    EXPECT_FALSE(is_file_name(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace sluice::http
