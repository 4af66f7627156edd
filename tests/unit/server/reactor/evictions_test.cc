#include "server/reactor/evictions.h"

#include <algorithm>
#include <vector>

#include "parts_driver.h"

namespace sluice {
namespace {

class EvictionsTest : public test::PartsTest {
  protected:
    void SetUp() override {
        PartsTest::SetUp();
        script_.conversation = false;
        layout_ = layout_for(2048);
        start();
        parts_->commons.now_ms = 100'000;
    }
    /// A connection on which something came or went so long ago.
    Connection& idle(uint64_t address, uint64_t idle_ms) {
        Connection& connection = connect();
        connection.address_key = address;
        connection.active_ms = now() - idle_ms;
        return connection;
    }
    size_t make_room() { return parts_->evictions.make_room(); }
    static bool is_closed(const Connection& connection) { return connection.phase == Phase::kGone; }
};

TEST_F(EvictionsTest, WhatIsInUseIsNeverClosed) {
    Connection& fresh = idle(1, Evictions::kIdleMs - 1);
    Connection &blocked = idle(2, 10'000), &waiting = idle(3, 10'000), &sends = idle(4, 10'000);
    blocked.blocked = true;
    waiting.waiting = true;
    sends.out.append("an answer");
    EXPECT_EQ(make_room(), 0u);
    for (Connection* it : {&fresh, &blocked, &waiting, &sends})
        EXPECT_FALSE(is_closed(*it));
}

TEST_F(EvictionsTest, ConversationsAreNeverClosed) {
    script_.conversation = true;
    Connection &quiet = idle(1, 10'000), &left = idle(2, 10'000);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), 0u);
    EXPECT_FALSE(is_closed(quiet) || is_closed(left));
}

TEST_F(EvictionsTest, WhoHasLeftGoesAtOnce) {
    Connection& left = idle(1, 0);
    left.peer_shut = left.waiting = true;
    Connection& half_closed = idle(1, 0);
    half_closed.peer_shut = half_closed.blocked = true;
    script_.owed = {0, 1};
    EXPECT_EQ(make_room(), 2u) << "nobody may be waiting for either";
    EXPECT_TRUE(is_closed(left));
    EXPECT_TRUE(is_closed(half_closed));
}

TEST_F(EvictionsTest, OfManyMoreThanAFewWhoHaveLeftGo) {
    const size_t all = Evictions::kMostAtOnce * Evictions::kPartLeft * 2;
    for (size_t i = 0; i < all; ++i)
        idle(i + 1, 0).peer_shut = true;
    EXPECT_EQ(make_room(), all / Evictions::kPartLeft);
}

TEST_F(EvictionsTest, OfManyWhoAreIdleAFewGo) {
    const size_t left = Evictions::kMostAtOnce + 1, all = Evictions::kMostAtOnce * Evictions::kPartLeft * 2;
    for (size_t i = 0; i < all; ++i)
        idle(i + 1, 60'000).peer_shut = i < left;
    EXPECT_EQ(make_room(), left);
    EXPECT_EQ(make_room(), Evictions::kMostAtOnce);
}

TEST_F(EvictionsTest, WhoMayStillTakeAnAnswerGoesLast) {
    std::vector<Connection*> stuck;
    for (size_t i = 0; i < Evictions::kMostAtOnce; ++i) {
        stuck.push_back(&idle(i + 1, 60'000));
        stuck.back()->peer_shut = true;
        stuck.back()->out.append("an answer");
    }
    Connection &left = idle(100, 0), &quiet = idle(101, Evictions::kIdleMs);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), Evictions::kMostAtOnce);
    EXPECT_TRUE(is_closed(left) && is_closed(quiet));
    EXPECT_EQ(std::count_if(stuck.begin(), stuck.end(), [](const Connection* it) { return is_closed(*it); }),
              static_cast<ptrdiff_t>(Evictions::kMostAtOnce) - 2);
}

TEST_F(EvictionsTest, TheAddressThatHasMostLosesItsLongestIdle) {
    std::vector<Connection*> crowd;
    for (size_t i = 0; i < Evictions::kMostAtOnce + 8; ++i)
        crowd.push_back(&idle(7, Evictions::kIdleMs + i));
    Connection& alone = idle(8, 60'000);
    Connection& left = idle(9, 0);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), Evictions::kMostAtOnce);
    EXPECT_TRUE(is_closed(left));
    EXPECT_FALSE(is_closed(alone)) << "it is idle for longer, but the only one of its address";
    for (size_t i = 0; i < crowd.size(); ++i)
        EXPECT_EQ(is_closed(*crowd[i]), i >= 9) << i;
}

TEST_F(EvictionsTest, ALookThatHasFoundNobodyIsNotRepeatedAtOnce) {
    EXPECT_EQ(make_room(), 0u);
    Connection& left = idle(1, 0);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), 0u);
    parts_->commons.now_ms += Evictions::kPauseMs;
    EXPECT_EQ(make_room(), 1u);
    EXPECT_TRUE(is_closed(left));
}

}  // namespace
}  // namespace sluice
