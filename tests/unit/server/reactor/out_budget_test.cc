#include "server/reactor/out_budget.h"

#include <gtest/gtest.h>
#include <string>

#include "core/log.h"
#include "server/config/endpoints.h"
#include "server/config/limits.h"
#include "server/reactor/connection.h"
#include "server/seam/message_share.h"
#include "server/seam/out_memory.h"

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
    OutBudget budget_{shape_, limits_, endpoints_};
    Connection connection_{1, UniqueFd(), 0};
};

TEST_F(OutBudgetTest, OneMessageAloneMayBeLongerThanTheLimit) {
    EXPECT_TRUE(budget_.has_room(connection_, 10 * kMostBytes));
    connection_.out.append("x");
    EXPECT_FALSE(budget_.has_room(connection_, 10 * kMostBytes));
    EXPECT_TRUE(budget_.has_room(connection_, kMostBytes + kSlackBytes - 1));
    EXPECT_FALSE(budget_.has_room(connection_, kMostBytes + kSlackBytes));
    EXPECT_FALSE(budget_.may_queue(connection_, 10 * kMostBytes));
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
    EXPECT_TRUE(budget_.has_room(connection_, kSmallWhenFullBytes));
    EXPECT_FALSE(budget_.has_room(connection_, kSmallWhenFullBytes + 1));
    connection_.out.append("x");
    EXPECT_FALSE(budget_.has_room(connection_, 1));
}

TEST_F(OutBudgetTest, WhatWorkersHavePromisedHasRoomInBlocks) {
    const Ref<HeapPayload> others = HeapPayload::create(message_share(limits_.queued_total_bytes));
    const std::string message(4096, 'm');
    shape_.ring_bytes = message.size() + 64;  // with the head of its record
    // The payload does not fit behind the frame's header, so that each takes a block.
    connection_.out.append("head");
    connection_.out.append(message);
    EXPECT_GT(OutMemory::total(), message_share(limits_.queued_total_bytes) + shape_.ring_bytes);
    EXPECT_TRUE(budget_.has_room(connection_, 1));
}

TEST_F(OutBudgetTest, WhenItIsFullOnlyWhoHasTakenEverythingMayBegin) {
    EXPECT_TRUE(budget_.may_begin(connection_, 100));
    EXPECT_EQ(budget_.wanted_since_ms(), 0u);
    {
        const Ref<HeapPayload> others = HeapPayload::create(limits_.queued_total_bytes + 1);
        EXPECT_TRUE(budget_.may_begin(connection_, 200));
        EXPECT_FALSE(budget_.is_relieved());
        const Ref<HeapPayload> reserve = HeapPayload::create(limits_.queued_total_bytes / 8);
        EXPECT_FALSE(budget_.may_begin(connection_, 300));
        EXPECT_EQ(budget_.wanted_since_ms(), 200u) << "since the first who wanted something";
    }
    const Ref<HeapPayload> others = HeapPayload::create(limits_.queued_total_bytes);
    connection_.out.append("x");
    EXPECT_FALSE(budget_.may_begin(connection_, 300));
    budget_.satisfied();
    EXPECT_EQ(budget_.wanted_since_ms(), 0u);
}

TEST_F(OutBudgetTest, ItIsFullWhenAllThatMayWaitDoes) {
    EXPECT_FALSE(budget_.is_full());
    {
        const Ref<HeapPayload> all = HeapPayload::create(limits_.queued_total_bytes + 1);
        EXPECT_TRUE(budget_.is_full());
    }
    EXPECT_FALSE(budget_.is_full());
}

}  // namespace
}  // namespace sluice
