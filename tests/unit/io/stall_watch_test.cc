#include "io/stall_watch.h"

#include <atomic>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"

namespace sluice {
namespace {

std::atomic<int> stalls, unanswered, ends, overdue, endless;
std::atomic<uint64_t> longest_ms;

constexpr StallWatch::Hooks kHooks = {
    [](uint64_t) { ++stalls; },
    [](uint64_t) { ++unanswered; },
    [](uint64_t held_ms) {
        ++ends;
        longest_ms = held_ms;
    },
    [](uint64_t) { ++overdue; },
    [](uint64_t) { ++endless; },
};

class StallWatchTest : public testing::Test {
  protected:
    void SetUp() override { stalls = unanswered = ends = overdue = endless = 0; }

    static bool comes_true(auto&& condition) {
        for (const uint64_t end_ms = monotonic_ms() + 30'000; monotonic_ms() < end_ms; usleep(1000))
            if (condition()) return true;
        return false;
    }

    StallWatch watch_;
};

TEST_F(StallWatchTest, TellsOnceOfACallThatLasts) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 20}, kHooks));
    watch_.enter();
    EXPECT_TRUE(comes_true([] { return stalls == 1; }));
    EXPECT_TRUE(watch_.claim());
    EXPECT_FALSE(watch_.claim()) << "the stall is reported already";
    usleep(100'000);
    watch_.leave();
    EXPECT_EQ(stalls, 1);
    EXPECT_EQ(unanswered, 0);
    EXPECT_EQ(ends, 1);
    EXPECT_GE(longest_ms, 100u);
}

TEST_F(StallWatchTest, TellsWhenTheThreadDoesNotAnswer) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 20}, kHooks));
    watch_.enter();
    EXPECT_TRUE(comes_true([] { return unanswered > 0; }));
    EXPECT_TRUE(watch_.claim());
    watch_.leave();
    EXPECT_FALSE(watch_.claim()) << "the call is over";
}

TEST_F(StallWatchTest, ManyShortCallsAreNoLongOne) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 5'000}, kHooks));
    for (int count = 0; count < 1000; ++count) {
        watch_.enter();
        watch_.leave();
        usleep(50);
    }
    EXPECT_EQ(stalls, 0);
    EXPECT_EQ(ends, 0);
}

TEST_F(StallWatchTest, NothingIsHeldBetweenCalls) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 10}, kHooks));
    watch_.enter();
    watch_.leave();
    usleep(100'000);
    EXPECT_EQ(stalls, 0);
}

TEST_F(StallWatchTest, EachCallIsToldOf) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 10}, kHooks));
    for (int count = 1; count <= 3; ++count) {
        watch_.enter();
        EXPECT_TRUE(comes_true([=] { return stalls == count; }));
        watch_.leave();
        EXPECT_EQ(ends, count);
    }
}

TEST_F(StallWatchTest, OneThatIsToEndIsAskedOnce) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 0, .end_ms = 20}, kHooks));
    EXPECT_FALSE(watch_.claim_end());
    watch_.enter();
    EXPECT_TRUE(comes_true([] { return overdue == 1; }));
    EXPECT_TRUE(watch_.claim_end());
    EXPECT_FALSE(watch_.claim_end()) << "the end of the call is claimed already";
    watch_.leave();
    EXPECT_EQ(stalls, 0) << "nobody has asked to hear of stalls";
    watch_.enter();
    EXPECT_TRUE(comes_true([] { return overdue == 2; }));
    watch_.leave();
    EXPECT_FALSE(watch_.claim_end()) << "the call has ended by itself";
    EXPECT_EQ(endless, 0);
}

TEST_F(StallWatchTest, OneThatDoesNotEndIsToldOfOnce) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 10, .end_ms = 20}, kHooks));
    watch_.enter();
    EXPECT_TRUE(comes_true([] { return endless == 1; }));
    EXPECT_EQ(stalls, 1);
    EXPECT_EQ(overdue, 1);
    usleep(50'000);
    EXPECT_EQ(endless, 1);
    watch_.leave();
}

/// A bailout of PHP leaves calls without leave().
TEST_F(StallWatchTest, ACallThatNobodyEndedIsEndedByTheNext) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 10}, kHooks));
    watch_.enter();
    watch_.enter();
    watch_.leave();
    usleep(100'000);
    EXPECT_EQ(stalls, 0);
}

TEST_F(StallWatchTest, EndsAndBeginsAgain) {
    watch_.end();
    for (int count = 1; count <= 2; ++count) {
        ASSERT_TRUE(watch_.begin({.tell_ms = 10}, kHooks));
        watch_.enter();
        EXPECT_TRUE(comes_true([=] { return stalls == count; }));
        watch_.leave();
        watch_.end();
    }
}

TEST_F(StallWatchTest, AForkCanEndIt) {
    ASSERT_TRUE(watch_.begin({.tell_ms = 10}, kHooks));
    const pid_t child = fork();
    if (child == 0) {
        watch_.enter();
        watch_.leave();
        watch_.end();
        _exit(7);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace sluice
