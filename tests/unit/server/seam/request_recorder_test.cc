#include "server/seam/request_recorder.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>

namespace sluice {
namespace {

constexpr uint64_t kNow = 1'700'000'000'000'000;

RequestRecord record_of(uint32_t ran_us, uint64_t at_us = kNow) {
    RequestRecord record{};
    record.span = ran_us;
    record.ran_us = ran_us;
    record.at_us = at_us;
    record.path.set("/a");
    return record;
}

std::multiset<uint32_t> slow_of(const RequestBoard& board) {
    std::multiset<uint32_t> times;
    for (size_t place = 0; place < board.slow_begun.load(); ++place) {
        RequestRecord record;
        if (board.slow[place].read(record)) times.insert(record.ran_us);
    }
    return times;
}

class RequestRecorderTest : public testing::Test {
  protected:
    std::unique_ptr<RequestBoard> board_ = std::make_unique<RequestBoard>();

    /// As a worker does.
    static void end(RequestRecorder& recorder, uint32_t ran_us, uint64_t now_us) {
        if (recorder.is_slow(ran_us, now_us)) recorder.note_slow(record_of(ran_us, now_us), now_us);
    }
};

TEST_F(RequestRecorderTest, TheSlowestAreKept) {
    RequestRecorder recorder(*board_, kNow);
    EXPECT_FALSE(recorder.is_slow(RequestRecorder::kFloorUs, kNow));
    for (uint32_t ms = 100; ms > 0; --ms) {
        end(recorder, ms * 2000, kNow);
        end(recorder, (101 - ms) * 2000 + 1, kNow);
    }
    const auto slow = slow_of(*board_);
    ASSERT_EQ(slow.size(), RequestBoard::kSlow);
    EXPECT_EQ(*slow.rbegin(), 200'001u);
    EXPECT_EQ(*slow.begin(), 93u * 2000 + 0) << "of two for each length, the 16 longest";
    EXPECT_FALSE(recorder.is_slow(*slow.begin(), kNow));
    EXPECT_TRUE(recorder.is_slow(*slow.begin() + 1, kNow));
}

TEST_F(RequestRecorderTest, OldOnesMakeWay) {
    RequestRecorder recorder(*board_, kNow);
    for (uint32_t i = 0; i < RequestBoard::kSlow; ++i)
        end(recorder, 1'000'000 + i, kNow + i);
    EXPECT_FALSE(recorder.is_slow(2000, kNow + 100));
    const uint64_t later = kNow + RequestRecorder::kKeptUs;
    EXPECT_TRUE(recorder.is_slow(2000, later)) << "the first is over its time";
    end(recorder, 2000, later);
    EXPECT_FALSE(slow_of(*board_).contains(1'000'000));
    EXPECT_TRUE(slow_of(*board_).contains(2000));
    EXPECT_EQ(slow_of(*board_).size(), RequestBoard::kSlow);
}

TEST_F(RequestRecorderTest, AnotherWorkerOfTheSlotGoesOn) {
    {
        RequestRecorder recorder(*board_, kNow);
        for (uint32_t i = 0; i < RequestBoard::kSlow; ++i)
            end(recorder, 1'000'000 + i, kNow);
    }
    RequestRecorder next(*board_, kNow + 1);
    EXPECT_FALSE(next.is_slow(1'000'000, kNow + 1));
    end(next, 5'000'000, kNow + 1);
    EXPECT_TRUE(slow_of(*board_).contains(5'000'000));
    EXPECT_FALSE(slow_of(*board_).contains(1'000'000)) << "the fastest has made way";
}

TEST_F(RequestRecorderTest, TheLastFailedAreKept) {
    RequestRecorder recorder(*board_, kNow);
    for (uint32_t i = 1; i <= RequestBoard::kFailed + 3; ++i)
        recorder.note_failed(record_of(i));
    EXPECT_EQ(board_->failed_begun.load(), RequestBoard::kFailed);
    std::set<uint32_t> failed;
    for (const RequestCell& cell : board_->failed) {
        RequestRecord record;
        ASSERT_TRUE(cell.read(record));
        failed.insert(record.ran_us);
    }
    EXPECT_EQ(*failed.begin(), 4u);
    EXPECT_EQ(*failed.rbegin(), RequestBoard::kFailed + 3);
}

TEST_F(RequestRecorderTest, WhatTheObserverDoesNotTakeIsDroppedAndCounted) {
    RequestRecorder recorder(*board_, kNow);
    for (uint32_t i = 0; i < RequestBoard::kTraced + 5; ++i)
        recorder.note_traced(record_of(i));
    EXPECT_EQ(board_->traced_put.load(), RequestBoard::kTraced);
    EXPECT_EQ(board_->traced_dropped.load(), 5u);
    board_->traced_taken.store(1);
    recorder.note_traced(record_of(777));
    RequestRecord record;
    ASSERT_TRUE(board_->traced[0].read(record));
    EXPECT_EQ(record.ran_us, 777u);
}

TEST_F(RequestRecorderTest, ACellThatIsBeingWrittenIsNotRead) {
    RequestRecord record;
    EXPECT_FALSE(board_->slow[0].read(record)) << "it is empty";
    board_->slow[0].write(record_of(5));
    ASSERT_TRUE(board_->slow[0].read(record));
    EXPECT_EQ(record.path.view(), "/a");
    board_->slow[0].version.store(board_->slow[0].version.load() + 1);
    EXPECT_FALSE(board_->slow[0].read(record));
    board_->slow[0].write(record_of(6));
    EXPECT_TRUE(board_->slow[0].read(record)) << "whoever died while it wrote keeps nobody from writing";
}

}  // namespace
}  // namespace sluice
