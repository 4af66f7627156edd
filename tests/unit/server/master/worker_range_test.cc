#include "server/master/worker_range.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

class WorkerRanges : public testing::Test {
  protected:
    /// As often as it says; true when the number has changed.
    bool look_for(uint64_t ms, unsigned busy, bool any_waits) {
        bool changed = false;
        for (const uint64_t end_ms = now_ms_ + ms; now_ms_ < end_ms; now_ms_ += WorkerRange::kLookEveryMs)
            changed = range_.look(range_.wanted(), busy, any_waits, now_ms_) || changed;
        return changed;
    }

    uint64_t now_ms_ = 1000;
    WorkerRange range_{2, 4};
};

TEST_F(WorkerRanges, GrowWhileMessagesWait) {
    EXPECT_EQ(range_.wanted(), 2u);
    for (unsigned look = 1; look < WorkerRange::kLooksToGrow; ++look)
        EXPECT_FALSE(range_.look(2, 2, true, now_ms_ += 100));
    EXPECT_TRUE(range_.look(2, 2, true, now_ms_ += 100));
    EXPECT_EQ(range_.wanted(), 3u);
    EXPECT_FALSE(range_.look(2, 2, true, now_ms_ += 100)) << "it is not there yet";
    for (int look = 0; look < 100; ++look)
        range_.look(range_.wanted(), range_.wanted(), true, now_ms_ += 100);
    EXPECT_EQ(range_.wanted(), 4u) << "there are no more";
}

TEST_F(WorkerRanges, BurstsAndBusyOnesWithoutAQueueChangeNothing) {
    for (int look = 0; look < 100; ++look)
        EXPECT_FALSE(range_.look(2, 2, look % WorkerRange::kLooksToGrow != 0, now_ms_ += 100));
    EXPECT_FALSE(look_for(60'000, 2, false));
    EXPECT_FALSE(look_for(60'000, 1, true)) << "what waits has a worker of its own";
}

TEST_F(WorkerRanges, ShrinkOnceTwoHaveHadNothingToDoForLong) {
    EXPECT_TRUE(look_for(10'000, 4, true));
    ASSERT_EQ(range_.wanted(), 4u);
    EXPECT_FALSE(look_for(60'000, 3, false)) << "the one that is free takes the next burst";
    EXPECT_FALSE(look_for(WorkerRange::kIdleMs - 500, 2, false));
    EXPECT_FALSE(look_for(200, 3, false)) << "from here on it counts anew";
    EXPECT_FALSE(look_for(WorkerRange::kIdleMs - 500, 2, false));
    EXPECT_TRUE(look_for(1000, 2, false));
    EXPECT_EQ(range_.wanted(), 3u);
    EXPECT_FALSE(look_for(60'000, 2, false));
    EXPECT_TRUE(look_for(60'000, 0, false));
    EXPECT_EQ(range_.wanted(), 2u) << "there are no fewer";
}

TEST_F(WorkerRanges, NobodyLooksWhereThereIsNoChoice) {
    WorkerRange fixed(3, 3);
    fixed.begin(now_ms_);
    EXPECT_EQ(fixed.due_ms(), 0u);
    range_.begin(now_ms_);
    EXPECT_EQ(range_.due_ms(), now_ms_ + WorkerRange::kLookEveryMs);
}

}  // namespace
}  // namespace sluice
