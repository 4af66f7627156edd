#include "core/utf8.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace sluice {
namespace {

enum class Naive { kValid, kIncomplete, kInvalid };

/// Decodes one character after the other by the definition in RFC 3629 section 4, and keeps no state.
Naive naive(std::string_view text) {
    size_t i = 0;
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
    while (i < text.size()) {
        const unsigned first = byte(i);
        size_t size = 0;
        unsigned low = 0x80, high = 0xbf;
        if (first <= 0x7f) {
            size = 1;
        } else if (first >= 0xc2 && first <= 0xdf) {
            size = 2;
        } else if (first >= 0xe0 && first <= 0xef) {
            size = 3;
            if (first == 0xe0) low = 0xa0;
            if (first == 0xed) high = 0x9f;
        } else if (first >= 0xf0 && first <= 0xf4) {
            size = 4;
            if (first == 0xf0) low = 0x90;
            if (first == 0xf4) high = 0x8f;
        } else {
            return Naive::kInvalid;
        }
        for (size_t k = 1; k < size; ++k) {
            if (i + k >= text.size()) return Naive::kIncomplete;
            if (byte(i + k) < (k == 1 ? low : 0x80) || byte(i + k) > (k == 1 ? high : 0xbf))
                return Naive::kInvalid;
        }
        i += size;
    }
    return Naive::kValid;
}

void expect_as_naive(std::string_view text) {
    const Naive expected = naive(text);
    for (size_t cut = 0; cut <= text.size(); ++cut) {
        Utf8Validator validator;
        const bool ok =
            validator.accept(text.data(), cut) && validator.accept(text.data() + cut, text.size() - cut);
        ASSERT_EQ(ok, expected != Naive::kInvalid) << testing::PrintToString(text) << " cut at " << cut;
        if (ok) {
            ASSERT_EQ(validator.complete(), expected == Naive::kValid) << testing::PrintToString(text);
        }
    }
    Utf8Validator validator;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool ok = validator.accept(text.data() + i, 1);
        ASSERT_EQ(ok, naive(text.substr(0, i + 1)) != Naive::kInvalid)
            << testing::PrintToString(text) << " at byte " << i
            << ": the text is not refused at its first wrong byte";
    }
}

TEST(Utf8, EmptyTextIsValid) {
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(Utf8Validator{}.complete());
}

TEST(Utf8, EveryPairOfBytes) {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            expect_as_naive(std::string{static_cast<char>(a), static_cast<char>(b)});
        }
    }
}

TEST(Utf8, EveryLeadWithContinuationsAtTheirBounds) {
    const std::string bounds = "\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0";
    for (int lead = 0xc0; lead < 256; ++lead) {
        for (char a : bounds) {
            for (char b : bounds) {
                for (char c : bounds) {
                    expect_as_naive(std::string{static_cast<char>(lead), a, b, c});
                }
            }
        }
    }
}

TEST(Utf8, EveryCodePointIsAccepted) {
    for (uint32_t point = 0; point <= 0x10ffff; ++point) {
        if (point >= 0xd800 && point <= 0xdfff) continue;
        char text[4];
        size_t size = 0;
        if (point < 0x80) {
            text[size++] = static_cast<char>(point);
        } else if (point < 0x800) {
            text[size++] = static_cast<char>(0xc0 | point >> 6);
        } else if (point < 0x10000) {
            text[size++] = static_cast<char>(0xe0 | point >> 12);
        } else {
            text[size++] = static_cast<char>(0xf0 | point >> 18);
        }
        if (point >= 0x10000) text[size++] = static_cast<char>(0x80 | (point >> 12 & 0x3f));
        if (point >= 0x800) text[size++] = static_cast<char>(0x80 | (point >> 6 & 0x3f));
        if (point >= 0x80) text[size++] = static_cast<char>(0x80 | (point & 0x3f));
        ASSERT_TRUE(is_utf8({text, size})) << point;
    }
}

TEST(Utf8, SurrogatesAreRefusedAtTheSecondByte) {
    Utf8Validator validator;
    EXPECT_TRUE(validator.accept("\xed", 1));
    EXPECT_FALSE(validator.accept("\xa0", 1));
}

TEST(Utf8, OverlongFormsAreRefusedAtTheEarliestByte) {
    EXPECT_FALSE(Utf8Validator{}.accept("\xc0", 1));
    EXPECT_FALSE(Utf8Validator{}.accept("\xc1", 1));
    EXPECT_TRUE(Utf8Validator{}.accept("\xe0", 1));
    EXPECT_FALSE(Utf8Validator{}.accept("\xe0\x9f", 2));
    EXPECT_FALSE(Utf8Validator{}.accept("\xf0\x8f", 2));
}

TEST(Utf8, BeyondTheLastCodePointIsRefusedAtTheEarliestByte) {
    EXPECT_TRUE(is_utf8("\xf4\x8f\xbf\xbf"));
    EXPECT_FALSE(Utf8Validator{}.accept("\xf4\x90", 2));
    EXPECT_FALSE(Utf8Validator{}.accept("\xf5", 1));
    EXPECT_FALSE(Utf8Validator{}.accept("\xff", 1));
}

TEST(Utf8, AFailureLastsUntilReset) {
    Utf8Validator validator;
    EXPECT_FALSE(validator.accept("\xff", 1));
    EXPECT_FALSE(validator.accept("a", 1));
    EXPECT_FALSE(validator.accept("", 0));
    EXPECT_FALSE(validator.complete());
    validator.reset();
    EXPECT_TRUE(validator.accept("a", 1));
    EXPECT_TRUE(validator.complete());
}

TEST(Utf8, ATextThatEndsWithinACharacterIsNotValid) {
    EXPECT_FALSE(is_utf8("\xc3"));
    EXPECT_FALSE(is_utf8("\xe2\x82"));
    EXPECT_FALSE(is_utf8("abc\xf0\x9f\x98"));
}

TEST(Utf8, ABadByteIsFoundAtEveryPlaceOfTheFastPath) {
    for (size_t size = 1; size <= 70; ++size) {
        for (size_t at = 0; at < size; ++at) {
            std::string text(size, 'x');
            EXPECT_TRUE(is_utf8(text));
            text[at] = '\xff';
            EXPECT_FALSE(is_utf8(text)) << at << " of " << size;
        }
    }
}

TEST(Utf8, EverySequenceOfBoundsAtEveryPlaceOfTheBlockPath) {
    const std::string bounds = "a\x80\x8f\x90\x9f\xa0\xbf";
    const std::string filler = "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
    const std::string leads = "\x7f\x80\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff";
    const std::string before[] = {filler + filler, "x" + filler + filler, std::string(19, 'y') + "\xc3\xa4",
                                  "\xc3\xa4"};
    const std::string after = filler + filler + filler + filler + filler + filler + filler + filler;
    for (const std::string& start : before) {
        for (size_t shift = 0; shift<16; shift += start.size()> 18 ? 1 : 5) {
            for (char lead : leads) {
                for (char a : bounds) {
                    for (char b : bounds) {
                        for (char c : {'a', '\x80', '\xbf'}) {
                            const std::string text =
                                start + std::string(shift, 'z') + "\xc3\xa4" + lead + a + b + c + after;
                            ASSERT_EQ(is_utf8(text), naive(text) == Naive::kValid)
                                << testing::PrintToString(text);
                        }
                    }
                }
            }
        }
    }
}

TEST(Utf8, LongRandomTextsAsTheNaiveReference) {
    std::mt19937 random(2);
    const std::string parts[] = {"a",           "ascii", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                 "\xed\x9f\xbf"};
    size_t valid = 0;
    for (int round = 0; round < 30000; ++round) {
        std::string text;
        while (text.size() < 64 + random() % 200) {
            text += parts[random() % (round % 2 ? std::size(parts) : 4)];
        }
        const size_t at = random() % text.size();
        if (round % 3 == 0) text[at] = static_cast<char>(random());
        if (round % 7 == 0) text.resize(text.size() - random() % 4);
        const Naive expected = naive(text);
        valid += expected == Naive::kValid;
        const size_t cut = random() % text.size();
        // Each part has a heap block of its own, so that the sanitiser sees a byte read beyond either end.
        const std::vector<char> first(text.begin(), text.begin() + cut),
            second(text.begin() + cut, text.end());
        Utf8Validator validator;
        const bool ok =
            validator.accept(first.data(), first.size()) && validator.accept(second.data(), second.size());
        ASSERT_EQ(ok, expected != Naive::kInvalid) << testing::PrintToString(text) << " cut at " << cut;
        if (ok) {
            ASSERT_EQ(validator.complete(), expected == Naive::kValid);
        }
    }
    EXPECT_GT(valid, 10000u);
}

TEST(Utf8, RandomTextsAsTheNaiveReference) {
    std::mt19937 random(1);
    const std::string parts[] = {"a",
                                 "plain ascii text, long enough",
                                 "\xc3\xa4",
                                 "\xe2\x82\xac",
                                 "\xf0\x9f\x98\x80",
                                 "\xed\x9f\xbf",
                                 "\xee\x80\x80",
                                 "\xf4\x8f\xbf\xbf"};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (size_t count = random() % 8; count != 0; --count) {
            text += parts[random() % std::size(parts)];
        }
        if (!text.empty() && random() % 2 == 0) text[random() % text.size()] = static_cast<char>(random());
        if (!text.empty() && random() % 4 == 0) text.resize(random() % text.size());
        expect_as_naive(text);
    }
}

}  // namespace
}  // namespace sluice
