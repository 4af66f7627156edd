#include "server/seam/queue_limit.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(QueueLimitTest, AsMuchAsIsBegunWithinItsTime) {
    QueueLimit limit;
    EXPECT_EQ(limit.most_requests(), QueueLimit::kFirst);
    EXPECT_EQ(limit.most_messages(), QueueLimit::kFirst);
    limit.busy(100, 1000);
    limit.busy(103, 1000 + QueueLimit::kMs - 1);
    EXPECT_EQ(limit.most_requests(), QueueLimit::kFirst) << "too early to tell";
    limit.busy(120, 1000 + 2 * QueueLimit::kMs);
    EXPECT_EQ(limit.most_requests(), 10u);
    EXPECT_EQ(limit.most_messages(), 10u);
    limit.busy(120 + 50, 1000 + 3 * QueueLimit::kMs);
    EXPECT_EQ(limit.most_requests(), 50u);
}

TEST(QueueLimitTest, HasBounds) {
    QueueLimit limit;
    limit.busy(0, 1000);
    limit.busy(0, 2000);
    EXPECT_EQ(limit.most_requests(), QueueLimit::kLeast);
    limit.busy(1'000'000, 2000 + QueueLimit::kMs);
    EXPECT_EQ(limit.most_requests(), QueueLimit::kMost);
    EXPECT_EQ(limit.most_messages(), SIZE_MAX);
}

TEST(QueueLimitTest, GrowsWhenTheWorkerHadNothingToDoAndSomebodyWaited) {
    QueueLimit limit;
    limit.busy(0, 1000);
    limit.busy(1, 1100);
    ASSERT_EQ(limit.most_requests(), QueueLimit::kLeast);
    limit.idle();
    EXPECT_EQ(limit.most_requests(), QueueLimit::kLeast) << "nobody waited";
    for (size_t most = 2 * QueueLimit::kLeast; most <= 2 * QueueLimit::kMost; most *= 2) {
        limit.refused();
        limit.idle();
        EXPECT_EQ(limit.most_requests(), std::min(most, QueueLimit::kMost));
    }
}

TEST(QueueLimitTest, IdleTimeIsNotMeasured) {
    QueueLimit limit;
    limit.busy(10, 1000);
    limit.idle();
    limit.busy(11, 9000);
    limit.busy(11 + 40, 9000 + QueueLimit::kMs);
    EXPECT_EQ(limit.most_requests(), 40u);
}

}  // namespace
}  // namespace sluice
