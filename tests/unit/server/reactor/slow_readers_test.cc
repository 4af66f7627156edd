#include "server/reactor/slow_readers.h"

#include <algorithm>
#include <vector>

#include "parts_driver.h"

namespace sluice {
namespace {

class SlowReadersTest : public test::PartsTest {
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
        parts_->slow_readers.cut_off();
    }
};

TEST_F(SlowReadersTest, NobodyIsCutOffWhileNobodyWantsMore) {
    Connection& holder_of_all = holder(2u << 20, 0);
    pass(10'000);
    EXPECT_EQ(holder_of_all.phase, Phase::kOpen);
    holder_of_all.write_deadline_ms = now() + limits_.sending.write_ms;
    want();
    pass(SlowReaders::kOverrunPatienceMs - 1);
    EXPECT_EQ(holder_of_all.phase, Phase::kOpen) << "a reader within its patience is left alone";
    pass(SlowReaders::kPatienceMs);
    EXPECT_EQ(holder_of_all.phase, Phase::kGone);
    EXPECT_TRUE(holder_of_all.out.empty());
}

TEST_F(SlowReadersTest, WhoTakesSomethingIsWaitedForUnlessThereIsNoRoomAtAll) {
    Connection& reads = holder(1'100'000, SlowReaders::kPatienceMs - 1);
    Connection& other = holder(1000, SlowReaders::kOverrunPatienceMs);
    want();
    pass(0);
    EXPECT_EQ(reads.phase, Phase::kOpen);
    other.out.append(HeapPayload::create(200'000));
    pass(SlowReaders::kPauseMs - 1);
    EXPECT_EQ(reads.phase, Phase::kOpen) << "the connections are looked through once in kPauseMs";
    pass(1);
    EXPECT_EQ(reads.phase, Phase::kGone);
    EXPECT_EQ(other.phase, Phase::kOpen) << "the one that was closed has freed room enough";
}

TEST_F(SlowReadersTest, WithoutRoomNobodyHasToWantAnything) {
    Connection& big = holder(1'100'000, 1000);
    Connection& small = holder(200'000, 1000);
    pass(SlowReaders::kPauseMs);
    EXPECT_EQ(big.phase, Phase::kGone);
    EXPECT_EQ(small.phase, Phase::kOpen);
}

TEST_F(SlowReadersTest, WhoHasTakenNearlyAllOfAPayloadHoldsTheWholeOfIt) {
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

TEST_F(SlowReadersTest, TheAddressThatHoldsMostComesFirst) {
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

TEST_F(SlowReadersTest, WhoHoldsMostForLongestGoesFirst) {
    Connection& slow = holder(500'000, 20'000);
    Connection& big = holder(600'000, 0);
    Connection& small = holder(100'000, 20'000);
    Connection& reads = connect();
    reads.out.append(HeapPayload::create(1000));
    want();
    pass(SlowReaders::kPatienceMs);
    EXPECT_EQ(slow.phase, Phase::kGone);
    EXPECT_EQ(big.phase, Phase::kOpen) << "the one that was closed has freed room enough";
    EXPECT_EQ(small.phase, Phase::kOpen);
    EXPECT_EQ(reads.phase, Phase::kOpen);
}

TEST_F(SlowReadersTest, AfterARushPatienceBeginsAnew) {
    {
        Connection& first = holder(2u << 20, 0);
        want();
        pass(1);
        first.out.clear();
        first.write_deadline_ms = 0;
    }
    pass(SlowReaders::kPatienceMs);
    Connection& second = holder(2u << 20, 0);
    want();
    pass(1);
    EXPECT_EQ(second.phase, Phase::kOpen);
}

TEST_F(SlowReadersTest, TheClientsOfOtherReactorsAreTheirs) {
    const Ref<HeapPayload> elsewhere = HeapPayload::create(2u << 20);
    Connection& mine = holder(1000, 20'000);
    want();
    pass(SlowReaders::kPatienceMs);
    EXPECT_EQ(mine.phase, Phase::kOpen);
}

}  // namespace
}  // namespace sluice
