#include "server/reactor/reclaiming.h"

#include <algorithm>
#include <vector>

#include "parts_driver.h"

namespace sluice {
namespace {

class FreeConnectionsTest : public test::PartsTest {
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
    size_t make_room() { return parts_->reclaiming.free_connections(); }
    static bool is_closed(const Connection& connection) { return connection.phase == Phase::kGone; }
};

TEST_F(FreeConnectionsTest, WhatIsInUseIsNeverClosed) {
    Connection& fresh = idle(1, Reclaiming::kIdleMs - 1);
    Connection &blocked = idle(2, 10'000), &waiting = idle(3, 10'000), &sends = idle(4, 10'000);
    blocked.blocked = true;
    waiting.waiting = true;
    sends.out.append("an answer");
    EXPECT_EQ(make_room(), 0u);
    for (Connection* it : {&fresh, &blocked, &waiting, &sends})
        EXPECT_FALSE(is_closed(*it));
}

TEST_F(FreeConnectionsTest, ConversationsAreNeverClosed) {
    script_.conversation = true;
    Connection &quiet = idle(1, 10'000), &left = idle(2, 10'000);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), 0u);
    EXPECT_FALSE(is_closed(quiet) || is_closed(left));
}

TEST_F(FreeConnectionsTest, WhoHasLeftGoesAtOnce) {
    Connection& left = idle(1, 0);
    left.peer_shut = left.waiting = true;
    Connection& half_closed = idle(1, 0);
    half_closed.peer_shut = half_closed.blocked = true;
    script_.awaited = {0, 1};
    EXPECT_EQ(make_room(), 2u) << "nobody may be waiting for either";
    EXPECT_TRUE(is_closed(left));
    EXPECT_TRUE(is_closed(half_closed));
}

TEST_F(FreeConnectionsTest, OfManyMoreThanAFewWhoHaveLeftGo) {
    const size_t all = Reclaiming::kMostAtOnce * Reclaiming::kPartLeft * 2;
    for (size_t i = 0; i < all; ++i)
        idle(i + 1, 0).peer_shut = true;
    EXPECT_EQ(make_room(), all / Reclaiming::kPartLeft);
}

TEST_F(FreeConnectionsTest, OfManyWhoAreIdleAFewGo) {
    const size_t left = Reclaiming::kMostAtOnce + 1,
                 all = Reclaiming::kMostAtOnce * Reclaiming::kPartLeft * 2;
    for (size_t i = 0; i < all; ++i)
        idle(i + 1, 60'000).peer_shut = i < left;
    EXPECT_EQ(make_room(), left);
    EXPECT_EQ(make_room(), Reclaiming::kMostAtOnce);
}

TEST_F(FreeConnectionsTest, WhoMayStillTakeAnAnswerGoesLast) {
    std::vector<Connection*> stuck;
    for (size_t i = 0; i < Reclaiming::kMostAtOnce; ++i) {
        stuck.push_back(&idle(i + 1, 60'000));
        stuck.back()->peer_shut = true;
        stuck.back()->out.append("an answer");
    }
    Connection &left = idle(100, 0), &quiet = idle(101, Reclaiming::kIdleMs);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), Reclaiming::kMostAtOnce);
    EXPECT_TRUE(is_closed(left) && is_closed(quiet));
    EXPECT_EQ(std::count_if(stuck.begin(), stuck.end(), [](const Connection* it) { return is_closed(*it); }),
              static_cast<ptrdiff_t>(Reclaiming::kMostAtOnce) - 2);
}

TEST_F(FreeConnectionsTest, TheAddressThatHasMostLosesItsLongestIdle) {
    std::vector<Connection*> crowd;
    for (size_t i = 0; i < Reclaiming::kMostAtOnce + 8; ++i)
        crowd.push_back(&idle(7, Reclaiming::kIdleMs + i));
    Connection& alone = idle(8, 60'000);
    Connection& left = idle(9, 0);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), Reclaiming::kMostAtOnce);
    EXPECT_TRUE(is_closed(left));
    EXPECT_FALSE(is_closed(alone)) << "it is idle for longer, but the only one of its address";
    for (size_t i = 0; i < crowd.size(); ++i)
        EXPECT_EQ(is_closed(*crowd[i]), i >= 9) << i;
}

TEST_F(FreeConnectionsTest, ALookThatHasFoundNobodyIsNotRepeatedAtOnce) {
    EXPECT_EQ(make_room(), 0u);
    Connection& left = idle(1, 0);
    left.peer_shut = true;
    EXPECT_EQ(make_room(), 0u);
    parts_->commons.now_ms += Reclaiming::kPauseMs;
    EXPECT_EQ(make_room(), 1u);
    EXPECT_TRUE(is_closed(left));
}

class FreeMemoryTest : public test::PartsTest {
  protected:
    void SetUp() override {
        PartsTest::SetUp();
        limits_.queued_total_bytes = 1u << 20;
        start();
        parts_->commons.now_ms = 100'000;
    }
    /// A connection that holds so many bytes, and has been behind for so long.
    Connection& holder(size_t bytes, uint64_t behind_ms) {
        Connection& connection = connect();
        connection.out.append(HeapPayload::create(bytes));
        connection.write_deadline_ms = now() + limits_.sending.write_ms - behind_ms;
        return connection;
    }
    void want() {
        Connection& other = connect();
        parts_->commons.out_budget.may_begin(other);
    }
    void pass(uint64_t ms) {
        parts_->commons.now_ms += ms;
        parts_->reclaiming.free_memory();
    }
};

TEST_F(FreeMemoryTest, NobodyIsCutOffWhileNobodyWantsMore) {
    Connection& holder_of_all = holder(2u << 20, 0);
    pass(10'000);
    EXPECT_EQ(holder_of_all.phase, Phase::kOpen);
    holder_of_all.write_deadline_ms = now() + limits_.sending.write_ms;
    want();
    pass(Reclaiming::kOverrunPatienceMs - 1);
    EXPECT_EQ(holder_of_all.phase, Phase::kOpen) << "a reader within its patience is left alone";
    pass(Reclaiming::kPatienceMs);
    EXPECT_EQ(holder_of_all.phase, Phase::kGone);
    EXPECT_TRUE(holder_of_all.out.empty());
}

TEST_F(FreeMemoryTest, WhoTakesSomethingIsWaitedForUnlessThereIsNoRoomAtAll) {
    Connection& reads = holder(1'100'000, Reclaiming::kPatienceMs - 1);
    Connection& other = holder(1000, Reclaiming::kOverrunPatienceMs);
    want();
    pass(0);
    EXPECT_EQ(reads.phase, Phase::kOpen);
    other.out.append(HeapPayload::create(200'000));
    pass(Reclaiming::kPauseMs - 1);
    EXPECT_EQ(reads.phase, Phase::kOpen) << "the connections are looked through once in kPauseMs";
    pass(1);
    EXPECT_EQ(reads.phase, Phase::kGone);
    EXPECT_EQ(other.phase, Phase::kOpen) << "the one that was closed has freed room enough";
}

TEST_F(FreeMemoryTest, WithoutRoomNobodyHasToWantAnything) {
    Connection& big = holder(1'100'000, 1000);
    Connection& small = holder(200'000, 1000);
    pass(Reclaiming::kPauseMs);
    EXPECT_EQ(big.phase, Phase::kGone);
    EXPECT_EQ(small.phase, Phase::kOpen);
}

TEST_F(FreeMemoryTest, WhoHasTakenNearlyAllOfAPayloadHoldsTheWholeOfIt) {
    Connection& nearly = connect();
    nearly.out.append(HeapPayload::create(1'100'000));
    OutQueue sent;
    nearly.out.move_to(sent, 1'099'999);
    sent.clear();
    nearly.write_deadline_ms = now() + limits_.sending.write_ms - 1000;
    EXPECT_EQ(nearly.queued_bytes(), 1u);
    EXPECT_EQ(nearly.held_bytes(), 1'100'000u);
    want();
    pass(0);
    EXPECT_EQ(nearly.phase, Phase::kGone);
}

TEST_F(FreeMemoryTest, TheAddressThatHoldsMostComesFirst) {
    std::vector<Connection*> crowd;
    for (int i = 0; i < 5; ++i) {
        crowd.push_back(&holder(100'000, 1000));
        crowd.back()->address_key = 7;
    }
    Connection& other = holder(300'000, 1000);
    other.address_key = 8;
    const Ref<HeapPayload> more = HeapPayload::create(300'000);
    want();
    pass(0);
    EXPECT_EQ(other.phase, Phase::kOpen) << "the crowd holds more, though no single client of it does";
    const auto left = std::count_if(crowd.begin(), crowd.end(),
                                    [](const Connection* it) { return it->phase == Phase::kOpen; });
    EXPECT_EQ(left, 3) << "no more connections are closed than needed";
}

TEST_F(FreeMemoryTest, WhoHoldsMostForLongestGoesFirst) {
    Connection& slow = holder(500'000, 20'000);
    Connection& big = holder(600'000, 0);
    Connection& small = holder(100'000, 20'000);
    Connection& reads = connect();
    reads.out.append(HeapPayload::create(1000));
    want();
    pass(Reclaiming::kPatienceMs);
    EXPECT_EQ(slow.phase, Phase::kGone);
    EXPECT_EQ(big.phase, Phase::kOpen) << "the one that was closed has freed room enough";
    EXPECT_EQ(small.phase, Phase::kOpen);
    EXPECT_EQ(reads.phase, Phase::kOpen);
}

TEST_F(FreeMemoryTest, AfterARushPatienceBeginsAnew) {
    {
        Connection& first = holder(2u << 20, 0);
        want();
        pass(1);
        first.out.clear();
        first.write_deadline_ms = 0;
    }
    pass(Reclaiming::kPatienceMs);
    Connection& second = holder(2u << 20, 0);
    want();
    pass(1);
    EXPECT_EQ(second.phase, Phase::kOpen);
}

TEST_F(FreeMemoryTest, TheClientsOfOtherReactorsAreTheirs) {
    const Ref<HeapPayload> elsewhere = HeapPayload::create(2u << 20);
    Connection& mine = holder(1000, 20'000);
    want();
    pass(Reclaiming::kPatienceMs);
    EXPECT_EQ(mine.phase, Phase::kOpen);
}

/// Holds so much for a message that has not come whole.
class HalfOfAMessage final : public Session {
  public:
    explicit HalfOfAMessage(size_t bytes) : bytes_(bytes) {}
    size_t unfinished_bytes() const override { return bytes_; }
    void give_up_unfinished(SessionHost& host, Connection& self) override { host.finish(self); }
    Progress consume(SessionHost&, Connection&, std::span<char>&) override { return Progress::kMore; }
    void ended(SessionHost&, Connection&) override {}
    void command(SessionHost&, Connection&, int, const Command&, Ref<Payload>) override {}
    void deadline(SessionHost&, Connection&) override {}
    void close(SessionHost&, Connection&, uint16_t, std::string_view) override {}
    void stop(SessionHost&, Connection&) override {}
    void release(SessionHost&) override {}

  private:
    size_t bytes_;
};

class FreeArenaTest : public test::PartsTest {
  protected:
    void SetUp() override {
        PartsTest::SetUp();
        start();
        parts_->commons.now_ms = 100'000;
    }
    Connection& holder(uint64_t address, size_t bytes, bool waits) {
        Connection& connection = connect();
        connection.address_key = address;
        connection.session.emplace<HalfOfAMessage>(bytes);
        if (bytes) used_.push_back(transport_.allocate(bytes));
        connection.awaits = Resource::kArena;
        if (waits) parts_->admission.wait(connection);
        return connection;
    }
    void pass(uint64_t ms) {
        parts_->commons.now_ms += ms;
        parts_->reclaiming.free_arena();
    }
    static bool made_way(const Connection& connection) { return connection.phase != Phase::kOpen; }
    void TearDown() override {
        for (const Room& room : used_)
            transport_.free(room);
        PartsTest::TearDown();
    }

    std::vector<Room> used_;
};

TEST_F(FreeArenaTest, WhoHoldsMostMakesWayForWhoHasWaited) {
    Connection &small = holder(1, 10'000, false), &big = holder(1, 20'000, false);
    Connection& other = holder(2, 25'000, false);
    Connection& waits = holder(3, 15'000, true);
    pass(Reclaiming::kArenaPatienceMs - 1);
    EXPECT_FALSE(made_way(big));
    pass(1);
    EXPECT_TRUE(made_way(big)) << "of the address that holds most";
    pass(Reclaiming::kPauseMs);
    EXPECT_FALSE(made_way(small) || made_way(other) || made_way(waits)) << "they hold little more themselves";
}

TEST_F(FreeArenaTest, WhoHasLeftGoesFirst) {
    Connection &left = holder(1, 10'000, false), &big = holder(1, 20'000, false);
    left.peer_shut = true;
    holder(2, 0, true);
    pass(Reclaiming::kArenaPatienceMs);
    EXPECT_TRUE(made_way(left));
    EXPECT_FALSE(made_way(big));
}

TEST_F(FreeArenaTest, WhoWaitsForItselfLosesOne) {
    Connection &small = holder(1, 10'000, true), &big = holder(1, 20'000, true);
    pass(Reclaiming::kArenaPatienceMs);
    EXPECT_TRUE(made_way(big));
    EXPECT_FALSE(made_way(small));
}

TEST_F(FreeArenaTest, WhereAllWaitForEachOtherTheLongestIsLost) {
    Connection &one = holder(1, 20'000, true), &other = holder(2, 25'000, true),
               &third = holder(3, 20'000, true);
    pass(Reclaiming::kArenaPatienceMs + 1);
    EXPECT_TRUE(made_way(other));
    EXPECT_FALSE(made_way(one) || made_way(third));
}

TEST_F(FreeArenaTest, NobodyWhoseOtherMessagesStillCome) {
    Connection &waits = holder(1, 20'000, true), &comes = holder(1, 20'000, false);
    pass(60'000);
    EXPECT_FALSE(made_way(waits) || made_way(comes));
}

TEST_F(FreeArenaTest, NobodyWhileMostIsHeldByTheWorkers) {
    Connection& half = holder(1, 20'000, true);
    used_.push_back(transport_.allocate(30'000));
    holder(2, 0, true);
    pass(60'000);
    EXPECT_FALSE(made_way(half)) << "they give it back";
}

}  // namespace
}  // namespace sluice
