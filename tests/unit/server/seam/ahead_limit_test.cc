#include "server/seam/ahead_limit.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(AheadLimitTest, AsMuchAsIsBegunWithinItsTime) {
    AheadLimit limit;
    EXPECT_EQ(limit.most_requests(), AheadLimit::kFirst);
    EXPECT_EQ(limit.most_messages(), AheadLimit::kFirst);
    limit.busy(100, 1000);
    limit.busy(103, 1000 + AheadLimit::kMs - 1);
    EXPECT_EQ(limit.most_requests(), AheadLimit::kFirst) << "too early to tell";
    limit.busy(120, 1000 + 2 * AheadLimit::kMs);
    EXPECT_EQ(limit.most_requests(), 10u);
    EXPECT_EQ(limit.most_messages(), 10u);
    limit.busy(120 + 50, 1000 + 3 * AheadLimit::kMs);
    EXPECT_EQ(limit.most_requests(), 50u);
}

TEST(AheadLimitTest, HasBounds) {
    AheadLimit limit;
    limit.busy(0, 1000);
    limit.busy(0, 2000);
    EXPECT_EQ(limit.most_requests(), AheadLimit::kLeast);
    limit.busy(1'000'000, 2000 + AheadLimit::kMs);
    EXPECT_EQ(limit.most_requests(), AheadLimit::kMost);
    EXPECT_EQ(limit.most_messages(), SIZE_MAX);
}

TEST(AheadLimitTest, GrowsWhenTheWorkerHadNothingToDoAndSomebodyWaited) {
    AheadLimit limit;
    limit.busy(0, 1000);
    limit.busy(1, 1100);
    ASSERT_EQ(limit.most_requests(), AheadLimit::kLeast);
    limit.idle();
    EXPECT_EQ(limit.most_requests(), AheadLimit::kLeast) << "nobody waited";
    for (size_t most = 2 * AheadLimit::kLeast; most <= 2 * AheadLimit::kMost; most *= 2) {
        limit.refused();
        limit.idle();
        EXPECT_EQ(limit.most_requests(), std::min(most, AheadLimit::kMost));
    }
}

TEST(AheadLimitTest, IdleTimeIsNotMeasured) {
    AheadLimit limit;
    limit.busy(10, 1000);
    limit.idle();
    limit.busy(11, 9000);
    limit.busy(11 + 40, 9000 + AheadLimit::kMs);
    EXPECT_EQ(limit.most_requests(), 40u);
}

}  // namespace
}  // namespace sluice
