// RFC 9110 section 14.
#include "protocol/http/byte_ranges.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace sluice::http {
namespace {

struct Read {
    RangeAnswer answer;
    std::vector<ByteRange> ranges;
};

Read read(std::string_view value, uint64_t size = 10000) {
    ByteRanges ranges;
    const RangeAnswer answer = read_ranges(value, size, ranges);
    EXPECT_EQ(answer == RangeAnswer::kPartial, !ranges.empty());
    return {answer, {ranges.all().begin(), ranges.all().end()}};
}

using Ranges = std::vector<ByteRange>;

TEST(ByteRanges, FirstAndLastAreBothIncluded) {
    EXPECT_EQ(read("bytes=0-499").ranges, (Ranges{{0, 500}}));
    EXPECT_EQ(read("bytes=500-999").ranges, (Ranges{{500, 500}}));
    EXPECT_EQ(read("bytes=0-0").ranges, (Ranges{{0, 1}}));
    EXPECT_EQ(read("bytes=9999-9999").ranges, (Ranges{{9999, 1}}));
}

TEST(ByteRanges, WithoutLastGoesToTheEnd) {
    EXPECT_EQ(read("bytes=9500-").ranges, (Ranges{{9500, 500}}));
    EXPECT_EQ(read("bytes=0-").ranges, (Ranges{{0, 10000}}));
}

TEST(ByteRanges, SuffixIsTheLastSoMany) {
    EXPECT_EQ(read("bytes=-500").ranges, (Ranges{{9500, 500}}));
    EXPECT_EQ(read("bytes=-1").ranges, (Ranges{{9999, 1}}));
    EXPECT_EQ(read("bytes=-20000").ranges, (Ranges{{0, 10000}}))
        << "a suffix longer than the whole is the whole";
}

TEST(ByteRanges, LastBeyondTheEndIsTheEnd) {
    EXPECT_EQ(read("bytes=9999-10000").ranges, (Ranges{{9999, 1}}));
    EXPECT_EQ(read("bytes=1-18446744073709551615").ranges, (Ranges{{1, 9999}}));
    EXPECT_EQ(read("bytes=1-99999999999999999999999999").ranges, (Ranges{{1, 9999}}));
    EXPECT_EQ(read("bytes=-99999999999999999999999999").ranges, (Ranges{{0, 10000}}));
}

TEST(ByteRanges, FirstBeyondTheEndIsUnsatisfiable) {
    EXPECT_EQ(read("bytes=10000-").answer, RangeAnswer::kUnsatisfiable);
    EXPECT_EQ(read("bytes=99999999999999999999-").answer, RangeAnswer::kUnsatisfiable);
    EXPECT_EQ(read("bytes=-0").answer, RangeAnswer::kUnsatisfiable);
    EXPECT_EQ(read("bytes=0-", 0).answer, RangeAnswer::kUnsatisfiable);
    EXPECT_EQ(read("bytes=-5", 0).answer, RangeAnswer::kUnsatisfiable);
}

TEST(ByteRanges, OneThatCanBeSatisfiedIsEnough) {
    EXPECT_EQ(read("bytes=20000-,5-6,-0").ranges, (Ranges{{5, 2}}));
}

TEST(ByteRanges, TheUnitIsCaselessAndOthersAreIgnored) {
    EXPECT_EQ(read("Bytes=1-2").ranges, (Ranges{{1, 2}}));
    EXPECT_EQ(read("lines=1-2").answer, RangeAnswer::kWhole);
    EXPECT_EQ(read("bytes =1-2").answer, RangeAnswer::kWhole);
    EXPECT_EQ(read("").answer, RangeAnswer::kWhole);
    EXPECT_EQ(read("1-2").answer, RangeAnswer::kWhole);
}

TEST(ByteRanges, BlanksAndEmptyElementsInTheList) {
    EXPECT_EQ(read("bytes= 0-0 ,\t2-2,,4-4 ,").ranges, (Ranges{{0, 1}, {2, 1}, {4, 1}}));
    EXPECT_EQ(read("bytes=,").answer, RangeAnswer::kWhole);
}

TEST(ByteRanges, WhatIsMalformedIsIgnoredAltogether) {
    for (const char* value :
         {"bytes=", "bytes=-", "bytes=5", "bytes=5-4", "bytes=a-", "bytes=1-b", "bytes=+1-2", "bytes=1 -2",
          "bytes=1- 2", "bytes=--5", "bytes=0x1-2", "bytes=1-2;3-4", "bytes=0-1,x", "bytes=0-1,5-4"}) {
        EXPECT_EQ(read(value).answer, RangeAnswer::kWhole) << value;
    }
}

TEST(ByteRanges, OrderIsKept) {
    EXPECT_EQ(read("bytes=500-600,0-10,-5").ranges, (Ranges{{500, 101}, {0, 11}, {9995, 5}}));
    EXPECT_EQ(read("bytes=10-19,0-9").ranges, (Ranges{{10, 10}, {0, 10}}))
        << "ranges that touch share no byte";
}

TEST(ByteRanges, OverlappingOnesAreJoined) {
    EXPECT_EQ(read("bytes=500-600,601-999,550-700").ranges, (Ranges{{500, 500}}));
    EXPECT_EQ(read("bytes=50-60,0-10,5-20").ranges, (Ranges{{0, 21}, {50, 11}}));
    EXPECT_EQ(read("bytes=0-,0-,0-").ranges, (Ranges{{0, 10000}}));
    EXPECT_EQ(read("bytes=0-100,10-20").ranges, (Ranges{{0, 101}}))
        << "a range within another one is part of it";
}

TEST(ByteRanges, TooManyAreIgnored) {
    std::string value = "bytes=";
    for (size_t i = 0; i < kMostRanges; ++i)
        value += std::to_string(2 * i) + "-" + std::to_string(2 * i) + ",";
    EXPECT_EQ(read(value).ranges.size(), kMostRanges);
    EXPECT_EQ(read(value + "9000-9001").answer, RangeAnswer::kWhole);
}

struct Head {
    explicit Head(std::initializer_list<std::pair<std::string, std::string>> pairs) {
        for (const auto& [name, value] : pairs) {
            Field field;
            field.name = {static_cast<uint16_t>(text.size()), static_cast<uint16_t>(name.size())};
            text += name;
            field.value = {static_cast<uint16_t>(text.size()), static_cast<uint16_t>(value.size())};
            text += value;
            fields.push_back(field);
        }
    }
    RangeAnswer ask() const {
        ByteRanges ranges;
        return requested_ranges(fields, text.data(), "\"tag\"", "Sun, 06 Nov 1994 08:49:37 GMT", 100, ranges);
    }
    std::string text;
    std::vector<Field> fields;
};

TEST(ByteRanges, OfARequest) {
    EXPECT_EQ(Head({{"host", "a"}}).ask(), RangeAnswer::kWhole);
    EXPECT_EQ(Head({{"range", "bytes=0-1"}}).ask(), RangeAnswer::kPartial);
    EXPECT_EQ(Head({{"range", "bytes=0-1"}, {"range", "bytes=0-1"}}).ask(), RangeAnswer::kWhole);
}

TEST(ByteRanges, IfRangeIsComparedStrongly) {
    const auto with = [](const std::string& condition) {
        return Head({{"range", "bytes=0-1"}, {"if-range", condition}}).ask();
    };
    EXPECT_EQ(with("\"tag\""), RangeAnswer::kPartial);
    EXPECT_EQ(with("\"other\""), RangeAnswer::kWhole);
    EXPECT_EQ(with("W/\"tag\""), RangeAnswer::kWhole);
    EXPECT_EQ(with("Sun, 06 Nov 1994 08:49:37 GMT"), RangeAnswer::kPartial);
    EXPECT_EQ(with("Sun, 06 Nov 1994 08:49:38 GMT"), RangeAnswer::kWhole) << "a later date is another date";
    EXPECT_EQ(with(""), RangeAnswer::kWhole);
    EXPECT_EQ(Head({{"range", "bytes=0-1"}, {"if-range", "\"tag\""}, {"if-range", "\"tag\""}}).ask(),
              RangeAnswer::kWhole);
}

TEST(ByteRanges, AWeakTagOfOursMatchesNothing) {
    ByteRanges ranges;
    const Head head({{"range", "bytes=0-1"}, {"if-range", "W/\"tag\""}});
    EXPECT_EQ(requested_ranges(head.fields, head.text.data(), "W/\"tag\"", "", 100, ranges),
              RangeAnswer::kWhole);
}

}  // namespace
}  // namespace sluice::http
