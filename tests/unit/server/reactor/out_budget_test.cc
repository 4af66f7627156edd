#include "server/reactor/out_budget.h"

#include <gtest/gtest.h>
#include <string>

#include "core/log.h"
#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/seam/message_share.h"
#include "server/seam/out_memory.h"
#include "server/seam/reactor_figures.h"

namespace sluice {
namespace {

constexpr size_t kMostBytes = 100'000;
constexpr size_t kSlackBytes = 65536;  // for frame headers of what workers have promised

class OutBudgetTest : public testing::Test {
  protected:
    OutBudgetTest() {
        log::open_file("/dev/null");
        shape_.reactors = 1;
        shape_.worker_slots = 2;
        shape_.ring_bytes = 4096;
        limits_.queued_total_bytes = 1u << 20;
        EndpointSpec site, strict;
        site.address = "a";
        strict.address = "b";
        strict.kind = EndpointKind::kTcp;
        site.limits.http.sending.queued_bytes = kMostBytes;
        strict.limits.tcp.sending.queued_bytes = 1000;
        auto endpoints = std::make_shared<Endpoints>();
        endpoints->update({site, strict});
        endpoints_ = endpoints;
    }
    void TearDown() override { connection_.out.clear(); }

    SharedLayout::Shape shape_{};
    Limits limits_;
    std::shared_ptr<const Endpoints> endpoints_;
    ReactorFigures figures_{};
    OutBudget budget_{shape_, limits_, endpoints_, figures_};
    Connection connection_{1, UniqueFd(), 0};
};

TEST_F(OutBudgetTest, OneMessageAloneMayBeLongerThanTheLimit) {
    EXPECT_TRUE(budget_.has_room(connection_, 10 * kMostBytes));
    connection_.out.append("x");
    EXPECT_FALSE(budget_.has_room(connection_, 10 * kMostBytes));
    EXPECT_TRUE(budget_.has_room(connection_, kMostBytes + kSlackBytes - 1));
    EXPECT_FALSE(budget_.has_room(connection_, kMostBytes + kSlackBytes));
    EXPECT_EQ(figures_.messages_dropped, 0u);
    EXPECT_FALSE(budget_.may_queue(connection_, 10 * kMostBytes));
    EXPECT_EQ(figures_.messages_dropped, 1u);
}

TEST_F(OutBudgetTest, EachEndpointHasALimitOfItsOwn) {
    Connection other{2, UniqueFd(), 1};
    for (Connection* connection : {&connection_, &other})
        connection->out.append("x");
    EXPECT_TRUE(budget_.has_room(connection_, kMostBytes));
    EXPECT_TRUE(budget_.has_room(other, 999 + kSlackBytes));
    EXPECT_FALSE(budget_.has_room(other, 1000 + kSlackBytes));
}

TEST_F(OutBudgetTest, WhenOthersFillTheMemoryAReaderStillGetsWhatIsSmall) {
    const uint64_t filled = message_share(limits_.queued_total_bytes) + 2 * shape_.ring_bytes + 1;
    const Ref<HeapPayload> others = HeapPayload::create(filled);
    EXPECT_FALSE(budget_.is_full()) << "HTTP has its share";
    const Ref<HeapPayload> own = HeapPayload::create(budget_.share_of_one() + 1);
    Connection sibling{2, UniqueFd(), 0};
    connection_.address_key = sibling.address_key = 7;
    budget_.charge(sibling, own->size());
    EXPECT_TRUE(budget_.has_room(connection_, kSmallWhenFullBytes));
    EXPECT_FALSE(budget_.has_room(connection_, kSmallWhenFullBytes + 1));
    connection_.out.append("x");
    EXPECT_FALSE(budget_.has_room(connection_, 1));
    EXPECT_TRUE(budget_.is_over_share(connection_));
}

TEST_F(OutBudgetTest, WhatStandsInOutArenasCountsForWhoHoldsMuch) {
    const uint64_t filled = message_share(limits_.queued_total_bytes) + 2 * shape_.ring_bytes + 1;
    Connection greedy{2, UniqueFd(), 0};
    Connection sibling{3, UniqueFd(), 0};
    greedy.address_key = sibling.address_key = 8;
    connection_.address_key = 7;
    greedy.out.append("x");
    budget_.charge(sibling, filled);
    EXPECT_TRUE(budget_.has_room(greedy, 50'000));
    OutMemory::add_extent(filled);
    EXPECT_FALSE(budget_.has_room(greedy, 50'000));
    EXPECT_TRUE(budget_.is_over_share(greedy));
    EXPECT_TRUE(budget_.has_room(connection_, limits_.queued_total_bytes));
    EXPECT_FALSE(budget_.is_overrun()) << "the arenas bound it";
    OutMemory::drop_extent(filled);
    EXPECT_TRUE(budget_.has_room(greedy, 50'000));
    greedy.out.clear();
}

TEST_F(OutBudgetTest, WhatWorkersHavePromisedHasRoomInBlocks) {
    const Ref<HeapPayload> others = HeapPayload::create(message_share(limits_.queued_total_bytes));
    const std::string message(4096, 'm');
    shape_.ring_bytes = message.size() + 64;  // the message and the head of its record
    // The payload does not fit behind the frame's header, so header and payload have a block each.
    connection_.out.append("head");
    connection_.out.append(message);
    EXPECT_GT(OutMemory::total(), message_share(limits_.queued_total_bytes) + shape_.ring_bytes);
    EXPECT_TRUE(budget_.has_room(connection_, 1));
}

TEST_F(OutBudgetTest, WhenOthersFillTheMemoryAnAddressStillGetsItsPart) {
    const uint64_t filled = message_share(limits_.queued_total_bytes) + 2 * shape_.ring_bytes + 1;
    const Ref<HeapPayload> others = HeapPayload::create(filled);
    connection_.address_key = 7;
    Connection greedy{2, UniqueFd(), 0};
    Connection another{3, UniqueFd(), 0};
    greedy.address_key = another.address_key = 8;
    greedy.out.append("x");
    budget_.charge(greedy, filled);
    EXPECT_LT(budget_.share_of_one(), 300'000u);
    EXPECT_GT(budget_.share_of_one(), 250'000u);
    EXPECT_TRUE(budget_.has_room(connection_, 300'000));
    EXPECT_FALSE(budget_.has_room(greedy, 300'000));
    EXPECT_FALSE(budget_.has_room(another, 300'000)) << "connections of one client share its part";
    EXPECT_TRUE(budget_.has_room(another, kSmallWhenFullBytes));
    EXPECT_FALSE(budget_.is_wanted()) << "a client over its part wants nothing from others";
    connection_.out.append("some of the part");
    EXPECT_TRUE(budget_.has_room(connection_, 50'000));
    Connection sibling{4, UniqueFd(), 0};
    sibling.address_key = 7;
    budget_.charge(sibling, filled);
    EXPECT_FALSE(budget_.has_room(connection_, 50'000));
    budget_.release(sibling);
    EXPECT_TRUE(budget_.has_room(connection_, 50'000));
    connection_.out.clear();
    EXPECT_TRUE(budget_.has_room(connection_, limits_.queued_total_bytes))
        << "a client below its part has room, and those who hold most go";
    EXPECT_TRUE(budget_.is_wanted());
    const Ref<HeapPayload> reserve = HeapPayload::create(limits_.queued_total_bytes / 8 * 5);
    EXPECT_TRUE(budget_.is_overrun());
    EXPECT_FALSE(budget_.has_room(connection_, 100'000));
    greedy.out.clear();
}

TEST_F(OutBudgetTest, TheReserveIsForWhoHasTakenEverything) {
    const uint64_t most = limits_.queued_total_bytes;
    const Ref<HeapPayload> others = HeapPayload::create(most);
    Connection some{2, UniqueFd(), 0};
    some.address_key = 8;
    some.out.append("x");
    connection_.address_key = 7;
    EXPECT_TRUE(budget_.has_room(some, 50'000)) << "a worker has promised it before the memory was full";
    const Ref<HeapPayload> promised = HeapPayload::create(most / 16);
    EXPECT_FALSE(budget_.has_room(some, 50'000));
    EXPECT_FALSE(budget_.is_overrun());
    EXPECT_TRUE(budget_.has_room(connection_, 100'000));
    some.out.clear();
}

TEST_F(OutBudgetTest, AClientIsJudgedByWhatItHoldsNow) {
    const uint64_t filled = message_share(limits_.queued_total_bytes) + 2 * shape_.ring_bytes + 1;
    const Ref<HeapPayload> others = HeapPayload::create(filled);
    connection_.address_key = 7;
    budget_.charge(connection_, filled);
    connection_.out.append("x");
    EXPECT_TRUE(budget_.has_room(connection_, 50'000)) << "it has taken the rest since it was charged";
    for (ConnectionId id = 2; id < 30; ++id) {
        Connection crowd{id, UniqueFd(), 0};
        crowd.address_key = 100 + id;
        budget_.charge(crowd, 1);
    }
    budget_.charge(connection_, 1);
    EXPECT_TRUE(budget_.has_room(connection_, 1));
    connection_.out.append(std::string(budget_.share_of_one(), 'x'));
    EXPECT_FALSE(budget_.has_room(connection_, 1)) << "more than its part waits since it was charged";
}

TEST_F(OutBudgetTest, WhoIsKnownByNoAddressIsOneForHimself) {
    const uint64_t filled = message_share(limits_.queued_total_bytes) + 2 * shape_.ring_bytes + 1;
    const Ref<HeapPayload> others = HeapPayload::create(filled);
    Connection greedy{2, UniqueFd(), 0};
    greedy.out.append(std::string(kMostBytes, 'x'));
    budget_.charge(greedy, filled);
    EXPECT_TRUE(budget_.has_room(connection_, 200'000));
    greedy.out.clear();
}

TEST_F(OutBudgetTest, WhenItIsFullNobodyBeginsWhoseAddressHoldsMoreThanItsPart) {
    const Ref<HeapPayload> all = HeapPayload::create(limits_.queued_total_bytes + 1);
    Connection greedy{2, UniqueFd(), 0};
    Connection another{3, UniqueFd(), 0};
    connection_.address_key = 7;
    connection_.known = another.known = true;
    greedy.address_key = another.address_key = 8;
    budget_.charge(greedy, limits_.queued_total_bytes);
    EXPECT_FALSE(budget_.may_begin(another));
    EXPECT_TRUE(budget_.may_begin(connection_));
    EXPECT_TRUE(budget_.is_wanted());
    budget_.charge(greedy, limits_.queued_total_bytes / 32);
    EXPECT_TRUE(budget_.may_begin(another)) << "half of the eighth that is left";
}

TEST_F(OutBudgetTest, WhenItIsFullOnlyWhoIsKnownAndHasTakenEverythingMayBegin) {
    EXPECT_TRUE(budget_.may_begin(connection_));
    EXPECT_FALSE(budget_.is_wanted());
    {
        const Ref<HeapPayload> others = HeapPayload::create(limits_.queued_total_bytes + 1);
        EXPECT_FALSE(budget_.may_begin(connection_)) << "nobody knows it";
        connection_.known = true;
        EXPECT_TRUE(budget_.may_begin(connection_));
        EXPECT_TRUE(budget_.is_wanted());
        EXPECT_FALSE(budget_.is_relieved());
        EXPECT_FALSE(budget_.is_overrun());
        const Ref<HeapPayload> reserve = HeapPayload::create(limits_.queued_total_bytes / 8);
        EXPECT_TRUE(budget_.is_overrun());
        EXPECT_FALSE(budget_.may_begin(connection_));
    }
    const Ref<HeapPayload> others = HeapPayload::create(limits_.queued_total_bytes);
    connection_.out.append("x");
    EXPECT_FALSE(budget_.may_begin(connection_));
    budget_.satisfied();
    EXPECT_FALSE(budget_.is_wanted());
}

TEST_F(OutBudgetTest, ItIsFullWhenAllThatMayWaitDoes) {
    EXPECT_FALSE(budget_.is_full());
    {
        const Ref<HeapPayload> all = HeapPayload::create(limits_.queued_total_bytes + 1);
        EXPECT_TRUE(budget_.is_full());
    }
    EXPECT_FALSE(budget_.is_full());
}

TEST_F(OutBudgetTest, WhatResponsesHaveLeftLatelyIsExpectedOfThoseThatAreAwaited) {
    constexpr int kTimes = 320;
    // Each leaves a 64th of all.
    for (int i = 0; i < kTimes; ++i) {
        budget_.expect(1);
        budget_.note_kept(limits_.queued_total_bytes / 64);
        budget_.expect(-1);
    }
    EXPECT_TRUE(budget_.may_begin(connection_));
    for (int i = 0; i < 63; ++i)
        budget_.expect(1);
    EXPECT_TRUE(budget_.may_begin(connection_));
    connection_.out.append(std::string(limits_.queued_total_bytes / 32, 'x'));
    EXPECT_FALSE(budget_.may_begin(connection_)) << "there will be no room when they come";
    EXPECT_FALSE(budget_.is_full());
    for (int i = 0; i < 63; ++i)
        budget_.expect(-1);
    EXPECT_TRUE(budget_.may_begin(connection_));
    for (int i = 0; i < 100; ++i)
        budget_.expect(1);
    for (int i = 0; i < kTimes; ++i) {
        budget_.expect(1);
        budget_.expect(-1);
    }
    EXPECT_TRUE(budget_.may_begin(connection_)) << "responses are taken at once now";
}

}  // namespace
}  // namespace sluice
