#include "protocol/http/trace_context.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

using namespace std::string_literals;

constexpr std::string_view kTrace = "4bf92f3577b34da6a3ce929d0e0e4736", kSpan = "00f067aa0ba902b7";

/// A head's fields, in order.
class HeadFields {
  public:
    HeadFields(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
        for (const auto& [name, value] : fields)
            fields_.push_back({keep(name), keep(value)});
    }
    std::span<const Field> all() const { return fields_; }
    const char* text() const { return text_.data(); }

  private:
    Span16 keep(std::string_view piece) {
        const Span16 place{static_cast<uint16_t>(text_.size()), static_cast<uint16_t>(piece.size())};
        text_ += piece;
        return place;
    }
    std::string text_;
    std::vector<Field> fields_;
};

std::string state_of(std::initializer_list<std::string_view> values) {
    std::string out;
    HeadFields fields{};
    switch (values.size()) {
        case 1: fields = {{"tracestate", values.begin()[0]}}; break;
        case 2: fields = {{"tracestate", values.begin()[0]}, {"tracestate", values.begin()[1]}}; break;
        default: break;
    }
    return trace_state(fields.all(), fields.text());
}

std::string baggage_of(std::string_view value) {
    const HeadFields fields{{"baggage", value}};
    return baggage(fields.all(), fields.text());
}

TEST(TraceContext, TheExampleOfTheSpecification) {
    const auto parent = read_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    ASSERT_TRUE(parent);
    EXPECT_EQ(parent->ids.high, 0x4bf92f3577b34da6u);
    EXPECT_EQ(parent->ids.low, 0xa3ce929d0e0e4736u);
    EXPECT_EQ(parent->ids.span, 0x00f067aa0ba902b7u);
    EXPECT_EQ(parent->flags, TraceParent::kSampled);
    EXPECT_EQ(TraceText(parent->ids).trace(), kTrace);
    EXPECT_EQ(TraceText(parent->ids).span(), kSpan);
    std::string out;
    append_traceparent(out, parent->ids, parent->flags);
    EXPECT_EQ(out, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
}

TEST(TraceContext, WhichParentsAreValid) {
    const std::string t(kTrace), s(kSpan);
    const struct {
        std::string value;
        bool is_valid;
        unsigned flags;
        const char* why;
    } kCases[] = {
        {"00-" + t + "-" + s + "-00", true, 0, "not sampled"},
        {"00-" + t + "-" + s + "-02", true, 2, "level 2: random"},
        {"00-" + t + "-" + s + "-03", true, 3, "sampled and random"},
        {"00-" + t + "-" + s + "-ff", true, 3, "unknown flags are not passed on"},
        {"00-" + t + "-" + s + "-01-", false, 0, "version 00 is 55 bytes"},
        {"00-" + t + "-" + s + "-01-what", false, 0, "version 00 has no more fields"},
        {"00-" + t + "-" + s + "-1", false, 0, "one digit of flags"},
        {"00-" + t + "-" + s, false, 0, "no flags"},
        {"00-" + t + "-" + s + "-.1", false, 0, "flags of no digits"},
        {"00-" + t + "-" + s + "-0A", false, 0, "upper case in the flags"},
        {"01-" + t + "-" + s + "-01", true, 1, "a later version of the same length"},
        {"01-" + t + "-" + s + "-01-what-more", true, 1, "a later version with more fields"},
        {"01-" + t + "-" + s + "-01.what", false, 0, "a later version's fifth field begins with a dash"},
        {"cc-" + t + "-" + s + "-01", true, 1, "version cc"},
        {"fe-" + t + "-" + s + "-01-x", true, 1, "version fe"},
        {"ff-" + t + "-" + s + "-01", false, 0, "version ff is forbidden"},
        {"0-" + t + "-" + s + "-01", false, 0, "one digit of the version"},
        {".0-" + t + "-" + s + "-01", false, 0, "a version of no digits"},
        {"CC-" + t + "-" + s + "-01", false, 0, "a version in upper case"},
        {"00-" + std::string(32, '0') + "-" + s + "-01", false, 0, "an id of a trace that is all zero"},
        {"00-" + t + "-" + std::string(16, '0') + "-01", false, 0, "an id of a span that is all zero"},
        {"00-4BF92F3577B34DA6A3CE929D0E0E4736-" + s + "-01", false, 0, "a trace in upper case"},
        {"00-" + t + "-00F067AA0BA902B7-01", false, 0, "a span in upper case"},
        {"00-" + t.substr(1) + "-" + s + "-01", false, 0, "31 digits"},
        {"00-" + t + "0-" + s + "-01", false, 0, "33 digits"},
        {"00-.bf92f3577b34da6a3ce929d0e0e4736-" + s + "-01", false, 0, "another byte than a digit"},
        {"00-" + t + "-" + s.substr(1) + "-01", false, 0, "15 digits of the span"},
        {"00_" + t + "-" + s + "-01", false, 0, "another separator"},
        {"00-" + t + "_" + s + "-01", false, 0, "another separator"},
        {"00-" + t + "-" + s + "_01", false, 0, "another separator"},
        {"", false, 0, "nothing"},
        {"00", false, 0, "a version alone"},
    };
    for (const auto& [value, is_valid, flags, why] : kCases) {
        const auto parent = read_traceparent(value);
        EXPECT_EQ(parent.has_value(), is_valid) << why << ": " << value;
        if (parent && is_valid) {
            EXPECT_EQ(parent->flags, flags) << why;
            EXPECT_EQ(TraceText(parent->ids).trace(), kTrace) << why;
        }
    }
}

TEST(TraceContext, AParentStandsOnce) {
    const std::string value = "00-" + std::string(kTrace) + "-" + std::string(kSpan) + "-01";
    const HeadFields once{{"host", "x"}, {"traceparent", value}},
        none{{"host", "x"}, {"xtraceparent", value}}, twice{{"traceparent", value}, {"traceparent", value}};
    EXPECT_TRUE(find_traceparent(once.all(), once.text()));
    EXPECT_FALSE(find_traceparent(none.all(), none.text()));
    EXPECT_FALSE(find_traceparent(twice.all(), twice.text()));
}

TEST(TraceContext, WhichStatesArePassedOn) {
    const std::string key256 = std::string(256, 'a'), value256 = std::string(256, 'v');
    std::string members32, members33;
    for (int i = 0; i < 33; ++i) {
        const std::string member = "k" + std::to_string(i) + "=v";
        if (i < 32) members32 += (i ? "," : "") + member;
        members33 += (i ? "," : "") + member;
    }
    for (const std::string& valid :
         {"rojo=00f067aa0ba902b7"s, "foo=1,bar=2"s, "foo=1 \t , \t bar=2"s, "foo=1,,bar=2"s, "foo=1,"s,
          "foo=1,foo=2"s, "a_-*/b=1"s, "1a=1"s, "fw529a3039@dt=FfD"s, "1@b=1"s, key256 + "=1",
          std::string(241, 't') + "@" + std::string(14, 'v') + "=1", "a=" + value256, "a= b c"s, "a=!~"s,
          members32})
        EXPECT_EQ(state_of({valid}), valid);
    for (const std::string& invalid : {"foo"s,
                                       "foo="s,
                                       "=1"s,
                                       "foo =1"s,
                                       "FOO=1"s,
                                       "foo.bar=1"s,
                                       "foo@=1"s,
                                       "@foo=1"s,
                                       "foo@@bar=1"s,
                                       "foo@bar@baz=1"s,
                                       key256 + "a=1",
                                       std::string(242, 't') + "@v=1",
                                       "t@" + std::string(15, 'v') + "=1",
                                       "foo=bar=baz"s,
                                       "foo=1,b\xc3\xa4r=2"s,
                                       "foo=\xc3\xa4"s,
                                       "a=" + value256 + "v",
                                       "_a=1"s,
                                       members33,
                                       ""s,
                                       " , "s})
        EXPECT_EQ(state_of({invalid}), "") << invalid;
    EXPECT_EQ(state_of({"foo=1", "bar=2"}), "foo=1,bar=2") << "several fields are one list, in their order";
    EXPECT_EQ(state_of({"foo=1", "bar"}), "") << "one that is malformed spoils all";
}

TEST(TraceContext, Baggage) {
    EXPECT_EQ(baggage_of("userId=alice;p=1 , a=%20b%C3%A4"), "userId=alice;p=1,a=%20b%C3%A4");
    const std::vector<std::pair<std::string, std::string>> expected{{"userId", "alice"}, {"a", " b\xc3\xa4"}};
    EXPECT_EQ(read_baggage("userId=alice;p=1,a=%20b%C3%A4"), expected);
    EXPECT_EQ(baggage_of("a=1,b,=c,d e=f,g=\"h\",i=j k,l=\\m,n="), "a=1,n=")
        << "malformed members are left out";
    EXPECT_EQ(baggage_of("a==b=c"), "a==b=c") << "a value may hold equals signs";
    std::string many, longest = "a=" + std::string(5000, 'x') + ",b=" + std::string(5000, 'x') + ",c=1";
    for (size_t i = 0; i < kMostBaggageMembers + 5; ++i)
        many += "k" + std::to_string(i) + "=v,";
    EXPECT_EQ(read_baggage(baggage_of(many)).size(), kMostBaggageMembers);
    EXPECT_EQ(baggage_of(longest), "a=" + std::string(5000, 'x') + ",c=1");
}

TEST(TraceContext, IdsOfRequestsDiffer) {
    const TraceKey key{1, 2};
    const TraceIds ids = TraceIds::of(key, 7, 1);
    EXPECT_EQ(ids, TraceIds::of(key, 7, 1)) << "whoever asks gets the same";
    for (const TraceIds& other :
         {TraceIds::of(key, 7, 2), TraceIds::of(key, 8, 1), TraceIds::of({1, 3}, 7, 1),
          TraceIds::of({2, 2}, 7, 1), TraceIds::of({2, 1}, 7, 1)}) {
        EXPECT_FALSE(ids.high == other.high && ids.low == other.low);
        EXPECT_NE(ids.span, other.span);
    }
    EXPECT_NE(ids.span_below(0), ids.span_below(1));
}

}  // namespace
}  // namespace sluice::http
