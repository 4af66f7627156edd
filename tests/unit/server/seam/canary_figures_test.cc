#include "server/seam/canary_figures.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(CanaryFigures, HaveBucketsForAllTimes) {
    EXPECT_EQ(CanaryCounts::bucket_of(0), 0u);
    EXPECT_EQ(CanaryCounts::bucket_of(UINT32_MAX), CanaryCounts::kBuckets - 1);
    for (size_t bucket = 0; bucket + 1 < CanaryCounts::kBuckets; ++bucket) {
        const double bound_us = CanaryCounts::bound_us(bucket);
        EXPECT_EQ(CanaryCounts::bucket_of(static_cast<uint64_t>(bound_us * 0.999)), bucket);
        EXPECT_EQ(CanaryCounts::bucket_of(static_cast<uint64_t>(bound_us * 1.001)), bucket + 1);
    }
}

TEST(CanaryFigures, SumTheReactorsThatCountForThem) {
    const SharedLayout layout = SharedLayout::create({.reactors = 3, .worker_slots = 1, .cells = 8});
    ASSERT_TRUE(layout);
    for (unsigned i = 0; i < 3; ++i) {
        CanaryCells& cells = layout.reactor(i).canary;
        cells.of[CanaryCells::kCanary].given = 100;  // of another canary
        cells.begin(i == 2 ? 6 : 7);
        cells.of[CanaryCells::kCanary].given += 2;
        cells.of[CanaryCells::kCanary].taken[3] += 1;
        cells.of[CanaryCells::kServing].failed += 1;
    }
    const auto canary = CanaryFigures::of(layout, 7, CanaryCells::kCanary);
    EXPECT_EQ(canary.given, 4u);
    EXPECT_EQ(canary.answered(), 2u);
    EXPECT_EQ(canary.failed, 0u);
    EXPECT_EQ(CanaryFigures::of(layout, 7, CanaryCells::kServing).failed, 2u);
    EXPECT_EQ(canary.describe(),
              "4 requests, 0 failed, 2 without an answer, p99 of fewer than 100 not known");
}

TEST(CanaryFigures, MayHaveAnyCounts) {
    CanaryFigures figures;
    for (const uint64_t count : {UINT64_MAX, UINT64_MAX / 100 + 1, UINT64_MAX / 99 - 1}) {
        figures.taken.back() = count;
        EXPECT_LE(figures.p99(), CanaryCounts::kBuckets);
    }
}

TEST(CanaryFigures, HaveBoundsInWords) {
    EXPECT_EQ(bound_text(CanaryCounts::bucket_of(20'000)), "23.8 ms");
    EXPECT_EQ(bound_text(CanaryCounts::bucket_of(2'600'000)), "3.04 s");
}

}  // namespace
}  // namespace sluice
