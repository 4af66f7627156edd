#include "protocol/http/conditions.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace sluice::http {
namespace {

constexpr std::string_view kOlder = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view kSame = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view kNewer = "Sun, 06 Nov 1994 08:49:38 GMT";
const Validators kCurrent{"\"a\"", 784111777};

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

uint16_t evaluate(const Fields& given, const Validators& current = kCurrent, bool is_read = true) {
    std::string text;
    std::vector<Field> fields;
    const auto put = [&](std::string_view part) {
        const Span16 span{static_cast<uint16_t>(text.size()), static_cast<uint16_t>(part.size())};
        text += part;
        return span;
    };
    for (const auto& [name, value] : given) {
        const Span16 name_span = put(name);
        fields.push_back({name_span, put(value)});
    }
    return evaluate_conditions(fields, text.data(), is_read, current);
}

TEST(Conditions, NoneIsNoCondition) {
    EXPECT_EQ(evaluate({}), 0);
    EXPECT_EQ(evaluate({{"x-if-none-match", "*"}}), 0);
}

TEST(Conditions, Rfc9110_13_1_2_IfNoneMatchComparesWeakly) {
    for (const char* list :
         {"\"a\"", "W/\"a\"", "*", "\"b\", \"a\"", "\"b\",\"a\"", ", \"b\" , W/\"a\"", "\"b,c\", \"a\""})
        EXPECT_EQ(evaluate({{"if-none-match", list}}), 304) << list;
    for (const char* list :
         {"\"b\"", "", "a", "\"A\"", "w/\"a\"", "\"a", "\"b\" x \"a\"", "W/", "**", "\"a \""})
        EXPECT_EQ(evaluate({{"if-none-match", list}}), 0) << list;
    EXPECT_EQ(evaluate({{"if-none-match", "\"b\""}, {"if-none-match", "\"a\""}}), 304);
    EXPECT_EQ(evaluate({{"if-none-match", "\"a\""}}, {"W/\"a\"", {}}), 304);
    EXPECT_EQ(evaluate({{"if-none-match", "\"a\""}}, {"", {}}), 0);
    EXPECT_EQ(evaluate({{"if-none-match", "*"}}, {"", {}}), 304);
}

TEST(Conditions, Rfc9110_13_2_2_OtherMethodsGet412) {
    EXPECT_EQ(evaluate({{"if-none-match", "\"a\""}}, kCurrent, false), 412);
    EXPECT_EQ(evaluate({{"if-modified-since", kSame}}, kCurrent, false), 0);
}

TEST(Conditions, Rfc9110_13_1_1_IfMatchComparesStrongly) {
    EXPECT_EQ(evaluate({{"if-match", "\"b\", \"a\""}}), 0);
    EXPECT_EQ(evaluate({{"if-match", "*"}}), 0);
    EXPECT_EQ(evaluate({{"if-match", "\"b\""}}), 412);
    EXPECT_EQ(evaluate({{"if-match", "W/\"a\""}}), 412);
    EXPECT_EQ(evaluate({{"if-match", "\"a\""}}, {"W/\"a\"", {}}), 412);
}

TEST(Conditions, Rfc9110_13_1_3_IfModifiedSince) {
    EXPECT_EQ(evaluate({{"if-modified-since", kOlder}}), 0);
    EXPECT_EQ(evaluate({{"if-modified-since", kSame}}), 304);
    EXPECT_EQ(evaluate({{"if-modified-since", kNewer}}), 304);
    EXPECT_EQ(evaluate({{"if-modified-since", "yesterday"}}), 0);
    EXPECT_EQ(evaluate({{"if-modified-since", kSame}, {"if-modified-since", kSame}}), 0);
    EXPECT_EQ(evaluate({{"if-modified-since", kSame}}, {"\"a\"", {}}), 0);
}

TEST(Conditions, Rfc9110_13_1_4_IfUnmodifiedSince) {
    EXPECT_EQ(evaluate({{"if-unmodified-since", kOlder}}), 412);
    EXPECT_EQ(evaluate({{"if-unmodified-since", kSame}}), 0);
    EXPECT_EQ(evaluate({{"if-unmodified-since", kOlder}}, {"\"a\"", {}}), 0);
}

TEST(Conditions, Rfc9110_13_2_2_TagsComeBeforeDates) {
    EXPECT_EQ(evaluate({{"if-modified-since", kSame}, {"if-none-match", "\"b\""}}), 0);
    EXPECT_EQ(evaluate({{"if-modified-since", kOlder}, {"if-none-match", "\"a\""}}), 304);
    EXPECT_EQ(evaluate({{"if-unmodified-since", kOlder}, {"if-match", "\"a\""}}), 0);
    EXPECT_EQ(evaluate({{"if-match", "\"b\""}, {"if-none-match", "\"a\""}}), 412);
    EXPECT_EQ(evaluate({{"if-match", "\"a\""}, {"if-none-match", "\"a\""}}), 304);
    EXPECT_EQ(evaluate({{"if-unmodified-since", kSame}, {"if-modified-since", kSame}}), 304);
}

TEST(Conditions, EntityTags) {
    EXPECT_TRUE(is_entity_tag(""));
    EXPECT_TRUE(is_entity_tag("a!\\\x80"));
    for (const char* bad : {"\"", " ", "a\tb", "\x7f", "\n"})
        EXPECT_FALSE(is_entity_tag(bad));
}

TEST(Conditions, Rfc9110_8_8_3_3_EncodingsHaveTagsOfTheirOwn) {
    const std::string_view encoded[] = {"\"a-br\"", "\"a-gzip\""};
    Validators current = kCurrent;
    current.encoded_etags = encoded;
    for (const char* tag : {"\"a\"", "\"a-gzip\"", "\"a-br\""}) {
        EXPECT_EQ(evaluate({{"if-none-match", tag}}, current), 304) << tag;
        EXPECT_EQ(evaluate({{"if-match", tag}}, current, false), 0) << tag;
        EXPECT_EQ(evaluate({{"if-none-match", tag}}, current, false), 412) << tag;
    }
    EXPECT_EQ(evaluate({{"if-none-match", "\"a-zstd\""}}, current), 0);
    EXPECT_EQ(evaluate({{"if-match", "\"a-zstd\""}}, current, false), 412);

    const std::string text = "if-none-match\"a-gzip\"";
    const Field field{{0, 13}, {13, 8}};
    std::string_view matched;
    EXPECT_EQ(evaluate_conditions({&field, 1}, text.data(), true, current, &matched), 304);
    EXPECT_EQ(matched, "\"a-gzip\"");
}

}  // namespace
}  // namespace sluice::http
