#include "server/master/canary.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr uint64_t kMs = 1000;

CanaryFigures figures(uint64_t given, uint64_t failed = 0, uint64_t us = kMs) {
    CanaryFigures figures;
    figures.given = given;
    figures.failed = failed;
    figures.taken[CanaryCounts::bucket_of(us)] = given;
    return figures;
}

TEST(Canaries, AreNotWorseWithTheSameShares) {
    EXPECT_EQ(why_worse(figures(50), figures(950), true), "");
    EXPECT_EQ(why_worse(figures(50, 1), figures(950, 19), true), "");
    EXPECT_EQ(why_worse(figures(500, 19), figures(9500, 190), true), "")
        << "10 are expected, and 19 are chance";
}

TEST(Canaries, AreNotWorseWithoutRequests) {
    EXPECT_EQ(why_worse({}, {}, true), "");
    EXPECT_EQ(why_worse({}, figures(1000, 1000), true), "");
    EXPECT_EQ(why_worse(figures(5), {}, true), "");
}

TEST(Canaries, AreWorseWhenMoreRequestsFail) {
    EXPECT_EQ(why_worse(figures(500, 20), figures(9500, 190), true),
              "20 of 500 requests (4 %) have failed, before 190 of 9500 requests (2 %)");
    EXPECT_NE(why_worse(figures(1, 1), figures(19), true), "");
}

TEST(Canaries, AreRefusedAtOnceOnlyWhenManyHaveFailed) {
    EXPECT_EQ(why_worse(figures(kEnoughFailed - 1, kEnoughFailed - 1), figures(100), false), "");
    EXPECT_NE(why_worse(figures(kEnoughFailed, kEnoughFailed), figures(100), false), "");
    EXPECT_EQ(why_worse(figures(100, kEnoughFailed), figures(1900, 190), false), "");
}

TEST(Canaries, AreWorseWhenMoreRequestsHaveNoAnswer) {
    CanaryFigures canary = figures(50);
    canary.given += 5;
    EXPECT_EQ(why_worse(canary, figures(950), false), "") << "their answers may come";
    EXPECT_FALSE(canary.are_settled());
    EXPECT_EQ(why_worse(canary, figures(950), true),
              "5 of 55 requests (9.09 %) had no answer, before 0 of 950 requests (0 %)");
    CanaryFigures serving = figures(900);
    serving.given += 100;
    EXPECT_EQ(why_worse(canary, serving, true), "");
    canary.left = 5;
    EXPECT_TRUE(canary.are_settled());
    EXPECT_NE(why_worse(canary, figures(950), true), "") << "clients that leave have no answer";
}

TEST(Canaries, AreWorseWhenTheyAreSlower) {
    const CanaryFigures serving = figures(1000, 0, 20 * kMs);
    CanaryFigures canary = figures(200, 0, 20 * kMs);
    canary.taken[CanaryCounts::bucket_of(200 * kMs)] = 6;
    EXPECT_EQ(why_worse(canary, serving, true), "") << "two are expected, and six are chance";
    canary.taken[CanaryCounts::bucket_of(200 * kMs)] = 7;
    EXPECT_EQ(why_worse(canary, serving, true),
              "p99 is below 226 ms, before 23.8 ms: 7 of 207 requests (3.38 %) took longer than 28.3 ms");
    EXPECT_EQ(why_worse(figures(200, 0, 25 * kMs), serving, true), "") << "the next bucket";
    EXPECT_EQ(why_worse(figures(kLeastForP99 - 1, 0, 1000 * kMs), serving, true), "");
    EXPECT_EQ(why_worse(canary, figures(kLeastForP99 - 1, 0, 20 * kMs), true), "");
    EXPECT_EQ(why_worse(figures(1000, 0, 5 * kMs), figures(1000, 0, 1), true), "");
}

}  // namespace
}  // namespace sluice
