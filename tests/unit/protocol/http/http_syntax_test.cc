#include "protocol/http/http_syntax.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice::http {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string decode(std::string_view text, Plus plus) {
    std::string out(text.size(), '?');
    out.resize(percent_decode(text, plus, out.data()));
    EXPECT_TRUE(needs_decoding(text, plus) || out == text) << text;
    return out;
}

Pairs query_pairs(std::string_view query) {
    Pairs pairs;
    for_each_query_pair(query, [&](std::string_view n, std::string_view v) { pairs.emplace_back(n, v); });
    return pairs;
}

Pairs cookies(std::string_view value) {
    Pairs pairs;
    for_each_cookie(value, [&](std::string_view n, std::string_view v) { pairs.emplace_back(n, v); });
    return pairs;
}

TEST(HttpSyntax, Rfc9110_5_6_2_TokenBytes) {
    const std::string_view marks = "!#$%&'*+-.^_`|~";
    for (int i = 0; i < 256; ++i) {
        const char c = static_cast<char>(i);
        const bool letter_or_digit =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool expected = letter_or_digit || (c != 0 && marks.find(c) != marks.npos);
        EXPECT_EQ(is_token_byte(c), expected) << i;
        EXPECT_EQ(is_token(std::string(3, c)), expected) << i;
        EXPECT_EQ(lower_token_byte(c), expected ? to_lower(c) : 0);
    }
    EXPECT_FALSE(is_token(""));
    EXPECT_FALSE(is_token("a b"));
}

TEST(HttpSyntax, Rfc9110_5_5_FieldValueBytes) {
    EXPECT_TRUE(is_field_value(""));
    EXPECT_TRUE(is_field_value(std::string_view()));
    for (int i = 0; i < 256; ++i) {
        const char c = static_cast<char>(i);
        const bool expected = i == '\t' || (i >= 0x20 && i != 0x7f);
        EXPECT_EQ(is_field_byte(c), expected) << i;
        // The byte `c` stands at every place among others, also among tabs and high bytes.
        for (const char other : {'a', '\t', '\x80', '\xff', ' ', '~'}) {
            for (size_t size : {1u, 7u, 8u, 9u, 16u, 23u}) {
                for (size_t at = 0; at < size; ++at) {
                    const auto text = std::make_unique<char[]>(size);
                    std::fill_n(text.get(), size, other);
                    text[at] = c;
                    const char* end = text.get() + size;
                    EXPECT_EQ(find_field_control(text.get(), end), expected ? end : text.get() + at)
                        << i << ' ' << size << ' ' << at;
                }
            }
        }
    }
    EXPECT_FALSE(is_field_value("a\r\nb: c"));
    EXPECT_FALSE(is_field_value(std::string_view("a\0b", 3)));
}

TEST(HttpSyntax, FieldLinesAreWhole) {
    for (const std::string_view text : {"", "a:\r\n", "a: b\r\n", "a: b\r\nc: d: e\r\n"})
        EXPECT_TRUE(are_field_lines(text)) << text;
    for (const std::string_view text : {"a", "a: b", "a: b\n", "a: b\r", "a: b\r\nc: d", "\r\n",
                                        "a: b\r\n\r\n", "no colon\r\n", ": b\r\n", "\n", "a: b\r\n\n"})
        EXPECT_FALSE(are_field_lines(text)) << text;
}

TEST(HttpSyntax, AFieldLineIsFoundByItsName) {
    const std::string_view lines = "a: content-length: 1\r\nContent-Length:5\r\nb: c\r\n";
    EXPECT_TRUE(has_field_line(lines, "content-length"));
    EXPECT_TRUE(has_field_line(lines, "b"));
    EXPECT_FALSE(has_field_line(lines, "content"));
    EXPECT_FALSE(has_field_line(lines, "c"));
    EXPECT_FALSE(has_field_line("", "a"));
}

TEST(HttpSyntax, TheFirstOfSeveralControlsIsFound) {
    const std::string text = "abc\t\t\r\n\x7f\x01\x02xyz";
    EXPECT_EQ(find_field_control(text.data(), text.data() + text.size()), text.data() + 5);
    const std::string del = "\x80\xff \x7f\x1f\x1f\x1f\x1f";
    EXPECT_EQ(find_field_control(del.data(), del.data() + del.size()), del.data() + 3);
}

TEST(HttpSyntax, Rfc9110_7_2_Authority) {
    for (const char* good : {"a", "a-b_c~d.test", "a:0", "a:65535", "a:", "127.0.0.1:80", "[::]",
                             "[2001:db8::1]:443", "[::ffff:1.2.3.4]", "%41", "a!$&'()*+;=b"}) {
        EXPECT_TRUE(is_authority(good)) << good;
    }
    for (const char* bad :
         {"",    ":",  ":80", "a:65536", "a:000080", "a:-1", "a:b",  "a:1:2",  "u@a",     "a,b",   "a b",
          "a/",  "a?", "a#",  "[",       "[]",       "[:]",  "[::1", "[::1]x", "[::1]:x", "[::g]", "[a.b]",
          "::1", "%",  "%4",  "%4g",     "a\"",      "a<",   "a\\",  "a\t",    "a\x7f",   "\x80"}) {
        EXPECT_FALSE(is_authority(bad)) << bad;
    }
    EXPECT_FALSE(is_authority(std::string_view("a\0", 2)));
}

TEST(HttpSyntax, CaselessComparison) {
    EXPECT_TRUE(equals_caseless("", ""));
    EXPECT_TRUE(equals_caseless("Keep-Alive", "kEEP-aLIVE"));
    EXPECT_FALSE(equals_caseless("a", "ab"));
    EXPECT_FALSE(equals_caseless("a", "b"));
    // Only letters have a case, though "@" and "`" differ in the bit that tells a letter from its capital.
    EXPECT_FALSE(equals_caseless("@", "`"));
    EXPECT_FALSE(equals_caseless("[", "{"));
}

TEST(HttpSyntax, Rfc9110_5_6_1_Lists) {
    EXPECT_TRUE(list_has_token("close", "close"));
    EXPECT_TRUE(list_has_token("a, \tCLOSE\t ,b", "close"));
    EXPECT_TRUE(list_has_token(",,a,,close", "close"));
    EXPECT_FALSE(list_has_token("", "close"));
    EXPECT_FALSE(list_has_token("closed", "close"));
    EXPECT_FALSE(list_has_token("x-close", "close"));
    EXPECT_FALSE(list_has_token("a close", "close"));
    EXPECT_EQ(trim_blanks(" \t a b\t "), "a b");
    EXPECT_EQ(trim_blanks(" \t "), "");
}

TEST(HttpSyntax, Rfc3986_2_1_PercentDecoding) {
    EXPECT_EQ(decode("", Plus::kSpace), "");
    EXPECT_EQ(decode("abc", Plus::kSpace), "abc");
    EXPECT_EQ(decode("a%20b%2Fc%2f", Plus::kLiteral), "a b/c/");
    EXPECT_EQ(decode("%00%ff%7E", Plus::kLiteral), std::string("\0\xff~", 3));
    EXPECT_EQ(decode("a+b", Plus::kLiteral), "a+b");
    EXPECT_EQ(decode("a+b%2B", Plus::kSpace), "a b+");
    EXPECT_EQ(decode("%2541", Plus::kLiteral), "%41");
    for (const char* malformed : {"%", "%4", "%4g", "%g4", "a%", "%%4", "% 1", "%+1"}) {
        EXPECT_EQ(decode(malformed, Plus::kLiteral), malformed);
    }
    EXPECT_EQ(decode("%%41", Plus::kLiteral), "%A");
    std::string text = "x%41+%42y";
    text.resize(percent_decode(text, Plus::kSpace, text.data()));
    EXPECT_EQ(text, "xA By");
}

TEST(HttpSyntax, QueryPairs) {
    EXPECT_EQ(query_pairs(""), Pairs{});
    EXPECT_EQ(query_pairs("a=1"), (Pairs{{"a", "1"}}));
    EXPECT_EQ(query_pairs("a=1&b=2=3&c&d=&=e&"),
              (Pairs{{"a", "1"}, {"b", "2=3"}, {"c", ""}, {"d", ""}, {"", "e"}}));
    EXPECT_EQ(query_pairs("&&a%5B%5D=x+y&&a%5B%5D=z"), (Pairs{{"a%5B%5D", "x+y"}, {"a%5B%5D", "z"}}));
    EXPECT_EQ(query_pairs("a;b=c"), (Pairs{{"a;b", "c"}}));
}

TEST(HttpSyntax, Rfc6265_4_2_1_Cookies) {
    EXPECT_EQ(cookies(""), Pairs{});
    EXPECT_EQ(cookies("a=1; b=2;c=3"), (Pairs{{"a", "1"}, {"b", "2"}, {"c", "3"}}));
    EXPECT_EQ(cookies("a=hello world; b=x=y; c=\"q\""),
              (Pairs{{"a", "hello world"}, {"b", "x=y"}, {"c", "\"q\""}}));
    EXPECT_EQ(cookies("a=; b"), (Pairs{{"a", ""}, {"b", ""}}));
    EXPECT_EQ(cookies("===;;; =x; \t;a=1 "), (Pairs{{"a", "1 "}}));
    EXPECT_EQ(cookies("a=1, b=2"), (Pairs{{"a", "1, b=2"}}));
}

TEST(HttpSyntax, AVisitorMayStop) {
    int seen = 0;
    for_each_query_pair("a&b&c",
                        [&](std::string_view name, std::string_view) { return ++seen, name != "b"; });
    EXPECT_EQ(seen, 2);
    seen = 0;
    for_each_cookie("a;b;c", [&](std::string_view, std::string_view) { return ++seen, false; });
    EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace sluice::http
