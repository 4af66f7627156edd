#include "core/timer_wheel.h"

#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace sluice {
namespace {

constexpr uint64_t kStart = 1'000'003;

TEST(TimerWheel, FiresWhenDueAndNotBefore) {
    TimerWheel wheel(kStart);
    TimerNode node;
    EXPECT_FALSE(node.armed());
    wheel.arm(node, kStart + 100);
    EXPECT_TRUE(node.armed());
    EXPECT_EQ(wheel.expire(kStart + 99), nullptr);
    EXPECT_EQ(wheel.expire(kStart + 100), &node);
    EXPECT_FALSE(node.armed());
    EXPECT_EQ(wheel.expire(kStart + 100), nullptr);
    EXPECT_EQ(wheel.expire(kStart + 100'000), nullptr) << "a timer fires once";
}

TEST(TimerWheel, ATimeThatHasPassedFiresNext) {
    TimerWheel wheel(kStart);
    TimerNode node;
    wheel.arm(node, 5);
    EXPECT_EQ(wheel.expire(kStart), nullptr);
    EXPECT_EQ(wheel.expire(kStart + 1), &node);
}

TEST(TimerWheel, CancelledOnesDoNotFire) {
    TimerWheel wheel(kStart);
    TimerNode a, b, c;
    wheel.arm(a, kStart + 10);
    wheel.arm(b, kStart + 10);
    wheel.arm(c, kStart + 10);
    TimerWheel::cancel(b);
    TimerWheel::cancel(b);
    EXPECT_FALSE(b.armed());
    EXPECT_EQ(wheel.expire(kStart + 20), &a);
    TimerWheel::cancel(c);  // the wheel has found `c` due, and not yet handed it out
    EXPECT_EQ(wheel.expire(kStart + 20), nullptr);
}

TEST(TimerWheel, ArmingAgainMovesIt) {
    TimerWheel wheel(kStart);
    TimerNode node;
    wheel.arm(node, kStart + 10);
    wheel.arm(node, kStart + 5000);
    EXPECT_EQ(wheel.expire(kStart + 4999), nullptr);
    wheel.arm(node, kStart + 5002);
    EXPECT_EQ(wheel.expire(kStart + 5001), nullptr);
    EXPECT_EQ(wheel.expire(kStart + 5002), &node);
}

TEST(TimerWheel, OneThatArmsItselfAgainEndsTheTurn) {
    TimerWheel wheel(kStart);
    TimerNode node;
    wheel.arm(node, kStart + 1);
    ASSERT_EQ(wheel.expire(kStart + 1), &node);
    wheel.arm(node, kStart + 1);
    EXPECT_EQ(wheel.expire(kStart + 1), nullptr);
    EXPECT_EQ(wheel.expire(kStart + 2), &node);
}

TEST(TimerWheel, EachDistanceFiresOnTheMillisecond) {
    // Distances around the borders of every level, from starts at, before and after a border.
    std::vector<uint64_t> distances = {1, 2, 3};
    for (unsigned bits : {6, 12, 18}) {
        for (int64_t more : {-2, -1, 0, 1, 2, 40})
            distances.push_back((uint64_t{1} << bits) + static_cast<uint64_t>(more));
    }
    for (uint64_t start : {uint64_t{0}, uint64_t{63}, uint64_t{64}, uint64_t{4095}, uint64_t{4096},
                           uint64_t{262'143}, kStart}) {
        for (uint64_t distance : distances) {
            TimerWheel wheel(start);
            TimerNode node;
            wheel.arm(node, start + distance);
            ASSERT_EQ(wheel.expire(start + distance - 1), nullptr) << start << " + " << distance;
            ASSERT_EQ(wheel.expire(start + distance), &node) << start << " + " << distance;
        }
    }
}

TEST(TimerWheel, BeyondTheReachOfTheWheelIsNotLost) {
    // To walk through the time takes long, so the test asks the wheel only how long to wait.
    constexpr uint64_t kReach = uint64_t{1} << 30;
    TimerWheel wheel(0);
    TimerNode node;
    wheel.arm(node, 3 * kReach);
    const uint64_t wait = wheel.wait_ms(0, 10 * kReach);
    EXPECT_LE(wait, 3 * kReach);
    EXPECT_GT(wait, 0u);
    TimerWheel::cancel(node);
}

TEST(TimerWheel, WaitsNoLongerThanTheLimit) {
    TimerWheel wheel(kStart);
    EXPECT_EQ(wheel.wait_ms(kStart, 250), 250u);
    TimerNode node;
    wheel.arm(node, kStart + 1000);
    EXPECT_EQ(wheel.wait_ms(kStart, 250), 250u);
    EXPECT_LE(wheel.wait_ms(kStart, 10'000), 1000u);
    EXPECT_EQ(wheel.wait_ms(kStart + 1000, 10'000), 0u);
    EXPECT_EQ(wheel.wait_ms(kStart + 5000, 10'000), 0u);
    TimerWheel::cancel(node);
}

TEST(TimerWheel, AnExactWaitWithinTheFirstLevel) {
    TimerWheel wheel(kStart);
    TimerNode near, nearer;
    wheel.arm(near, kStart + 50);
    EXPECT_EQ(wheel.wait_ms(kStart, 1000), 50u);
    wheel.arm(nearer, kStart + 7);
    EXPECT_EQ(wheel.wait_ms(kStart, 1000), 7u);
    EXPECT_EQ(wheel.wait_ms(kStart + 3, 1000), 4u);
    TimerWheel::cancel(near);
    TimerWheel::cancel(nearer);
}

TEST(TimerWheel, FollowingItsWaitsEndsAndIsNotLate) {
    // A loop sleeps as long as the wheel says: how often does it wake up for one timer?
    TimerWheel wheel(kStart);
    TimerNode node;
    wheel.arm(node, kStart + 300'000);
    uint64_t now = kStart;
    int wakes = 0;
    while (!wheel.expire(now)) {
        const uint64_t wait = wheel.wait_ms(now, 1'000'000);
        ASSERT_GT(wait, 0u);
        now += wait;
        ASSERT_LT(++wakes, 10);
    }
    EXPECT_EQ(now, kStart + 300'000);
}

TEST(TimerWheel, AgreesWithAModel) {
    struct Timer : TimerNode {
        std::multimap<uint64_t, Timer*>::iterator place;
    };
    for (unsigned seed = 1; seed <= 6; ++seed) {
        std::mt19937_64 random(seed);
        uint64_t now = random() % 10'000'000;
        TimerWheel wheel(now);
        std::multimap<uint64_t, Timer*> model;
        std::vector<std::unique_ptr<Timer>> timers;
        for (int i = 0; i < 200; ++i) {
            timers.push_back(std::make_unique<Timer>());
            timers.back()->place = model.end();
        }
        for (int step = 0; step < 5000; ++step) {
            Timer& timer = *timers[random() % timers.size()];
            if (random() % 3) {
                if (timer.place != model.end()) model.erase(timer.place);
                const uint64_t due = now + random() % (uint64_t{1} << (random() % 20));
                wheel.arm(timer, due);
                timer.place = model.emplace(std::max(due, now + 1), &timer);
            } else {
                TimerWheel::cancel(timer);
                if (timer.place != model.end()) model.erase(timer.place);
                timer.place = model.end();
            }
            ASSERT_EQ(timer.armed(), timer.place != model.end());

            constexpr uint64_t kLimit = 1 << 20;
            const uint64_t wait = wheel.wait_ms(now, kLimit);
            ASSERT_LE(now + wait, model.empty() ? now + kLimit : std::min(model.begin()->first, now + kLimit))
                << "the loop would sleep past a deadline";
            if (random() % 4) continue;
            now += random() % 8 ? random() % 100 : random() % 50'000;
            while (TimerNode* node = wheel.expire(now)) {
                Timer* fired = static_cast<Timer*>(node);
                ASSERT_NE(fired->place, model.end()) << "the timer that fired was not armed";
                ASSERT_LE(fired->place->first, now) << "the timer fired too early";
                ASSERT_EQ(fired->place->first, model.begin()->first) << "the timer fired out of order";
                model.erase(fired->place);
                fired->place = model.end();
            }
            ASSERT_TRUE(model.empty() || model.begin()->first > now) << "a timer is due and did not fire";
        }
        for (auto& timer : timers)
            TimerWheel::cancel(*timer);
    }
}

}  // namespace
}  // namespace sluice
