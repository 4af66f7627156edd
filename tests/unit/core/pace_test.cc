#include "core/pace.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr uint32_t kPauseMs = 30'000;

TEST(Pace, WithoutARateOnlyThePauseCounts) {
    EXPECT_EQ(moved_deadline(40'000, 39'999, 1, kPauseMs, 0), 69'999u);
}

TEST(Pace, OneThatKeepsTheRateIsNeverCut) {
    uint64_t now = 10'000, due = now + kPauseMs;
    for (int second = 0; second < 1000; ++second) {
        now += 1000;
        ASSERT_GT(due, now);
        due = moved_deadline(due, now, 240, kPauseMs, 240);
    }
    EXPECT_EQ(due, now + kPauseMs) << "the deadline is as far away as at the beginning";
}

TEST(Pace, OneThatDripsIsCutAPauseAfterItBeganTo) {
    uint64_t now = 10'000, due = now + kPauseMs;
    int drops = 0;
    while (now + 1000 < due) {
        now += 1000;
        due = moved_deadline(due, now, 1, kPauseMs, 240);
        ++drops;
    }
    EXPECT_EQ(drops, 30) << "each drop buys 5 ms";
    EXPECT_LT(due, 10'000u + kPauseMs + 1000);
}

TEST(Pace, WhatWasFastMayPauseNoLongerThanOthers) {
    EXPECT_EQ(moved_deadline(31'000, 1000, uint64_t{1} << 40, kPauseMs, 240), 31'000u);
}

TEST(Pace, EachByteBuysSomething) {
    EXPECT_EQ(moved_deadline(1000, 999, 1, kPauseMs, 1u << 30), 1001u);
}

}  // namespace
}  // namespace sluice
