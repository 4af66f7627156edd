// RFC 9110 sections 12.4.2, 12.5.1 and 12.5.4; RFC 4647 sections 3.3.1 and 3.4.
#include "protocol/http/accept.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

int type(const char* list, const char* offered) {
    Preference preference;
    preference.add_types(list, offered);
    return preference.weight();
}
int language(const char* list, const char* offered) {
    Preference preference;
    preference.add_languages(list, offered);
    return preference.weight();
}

TEST(Accept, Weights) {
    EXPECT_EQ(read_weight("1"), 1000);
    EXPECT_EQ(read_weight("0.5"), 500);
    EXPECT_EQ(read_weight("0.123"), 123);
    EXPECT_EQ(read_weight("1.000"), 1000);
    EXPECT_EQ(read_weight("0."), 0);
    for (const char* bad : {"", "2", "1.001", "0.1234", "-1", "0,5", ".5", "x"})
        EXPECT_FALSE(read_weight(bad)) << bad;
}

TEST(Accept, WhoSaysNothingTakesAnything) {
    EXPECT_EQ(Preference().weight(), 1000);
    for (const char* nothing :
         {"", " ", ",", ";q=1", "html", "text/", "/html", "text/html;q=x", "text/html;q=2"})
        EXPECT_EQ(type(nothing, "text/html"), 1000) << nothing;
    EXPECT_EQ(language("d_e, toolongtag1, de-, -", "en"), 1000);
}

TEST(Accept, TypesByRange) {
    EXPECT_EQ(type("text/html", "text/html"), 1000);
    EXPECT_EQ(type("TEXT/Html", "text/html"), 1000);
    EXPECT_EQ(type("text/*;q=0.5", "text/html"), 500);
    EXPECT_EQ(type("*/*;q=0.1", "text/html"), 100);
    EXPECT_EQ(type("application/json", "text/html"), 0);
    EXPECT_EQ(type("text/htm", "text/html"), 0);
    EXPECT_EQ(type("tex/*", "text/html"), 0);
    EXPECT_EQ(type("*/html", "text/html"), 0);
}

TEST(Accept, TheClosestRangeDecides) {
    // The example of RFC 9110 section 12.5.1.
    const char* list =
        "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5";
    EXPECT_EQ(type(list, "text/plain;format=flowed"), 1000);
    EXPECT_EQ(type(list, "text/plain"), 700);
    EXPECT_EQ(type(list, "text/html"), 300);
    EXPECT_EQ(type(list, "image/jpeg"), 500);
    EXPECT_EQ(type(list, "text/plain; format=fixed"), 400);
    EXPECT_EQ(type(list, "text/html;level=3"), 300);
    EXPECT_EQ(type("text/html;q=0, */*", "text/html"), 0);
    EXPECT_EQ(type("*/*, text/html;q=0", "text/html"), 0);
    EXPECT_EQ(type("text/html;q=0.2, text/html;q=0.4", "text/html"), 400);
}

TEST(Accept, ParametersAndExtensions) {
    EXPECT_EQ(type("text/html;charset=\"a,b;q=0\";q=0.5", "text/html;charset=\"a,b;q=0\""), 500);
    EXPECT_EQ(type("text/html;q=0.5;ext=1", "text/html"), 500);
    EXPECT_EQ(type("text/html ; Q=0.5", "text/html"), 500);
    EXPECT_EQ(type("text/html;;q=0.5", "text/html"), 500);
    EXPECT_EQ(type("text/html;a=\"\\\",b", "text/html"), 0);
}

TEST(Accept, SeveralFieldsAreOneList) {
    Preference preference;
    preference.add_types("text/*;q=0.5", "text/html");
    preference.add_types("text/html;q=0.2", "text/html");
    EXPECT_EQ(preference.weight(), 200);
}

TEST(Accept, LanguagesByRange) {
    EXPECT_EQ(language("de", "de"), 1000);
    EXPECT_EQ(language("DE;q=0.8", "de-AT"), 800);
    EXPECT_EQ(language("de-at", "de"), 1000);
    EXPECT_EQ(language("de", "den"), 0);
    EXPECT_EQ(language("den", "de"), 0);
    EXPECT_EQ(language("*;q=0.3", "fr"), 300);
    EXPECT_EQ(language("en", "fr"), 0);
    EXPECT_EQ(language("*, en;q=0", "en-GB"), 0);
}

TEST(Accept, TheClosestLanguageDecides) {
    const char* list = "de-AT, de;q=0.7, en-GB;q=0.6, en;q=0.5, *;q=0.1";
    EXPECT_EQ(language(list, "de-AT"), 1000);
    EXPECT_EQ(language(list, "de-CH"), 700);
    EXPECT_EQ(language(list, "de"), 700);
    EXPECT_EQ(language(list, "en-US"), 500);
    EXPECT_EQ(language(list, "fr"), 100);
    EXPECT_EQ(language("*;q=0.1, de-AT", "de"), 1000);
}

TEST(Accept, WhatMayBeOffered) {
    for (const char* good : {"text/html", "application/problem+json", "text/plain; charset=utf-8"})
        EXPECT_TRUE(is_media_type(good)) << good;
    for (const char* bad :
         {"", "html", "text/", "/html", "text/*", "*/*", "text/html, text/plain", "te xt/html", "a/b;c=\n"})
        EXPECT_FALSE(is_media_type(bad)) << bad;
    for (const char* good : {"de", "de-AT", "zh-Hant-TW", "x-12345678"})
        EXPECT_TRUE(is_language_tag(good)) << good;
    for (const char* bad : {"", "-", "de-", "de_AT", "123456789", "d\xc3\xa9", "de AT", "*"})
        EXPECT_FALSE(is_language_tag(bad)) << bad;
}

}  // namespace
}  // namespace sluice::http
