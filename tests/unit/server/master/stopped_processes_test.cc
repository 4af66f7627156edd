#include "server/master/stopped_processes.h"

#include <csignal>
#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr pid_t kOne = 100, kOther = 200;
constexpr uint64_t kKillMs = 60'000;
constexpr uint64_t kSureMs = StoppedProcesses::kLookAgainMs;

/// Its owner with a clock that a test moves: it sleeps as long as it may, and does what is due.
class StoppedProcessesTest : public ::testing::Test {
  protected:
    StoppedProcessesTest() { processes_.set_kill_ms(kKillMs); }

    /// What is due until then.
    std::vector<StoppedProcesses::Due> pass(uint64_t ms) {
        std::vector<StoppedProcesses::Due> all;
        const uint64_t end_ms = now_ms_ + ms;
        for (;;) {
            while (const auto due = processes_.next(now_ms_))
                all.push_back(*due);
            const int wait_ms = processes_.wait_ms(now_ms_);
            EXPECT_NE(wait_ms, 0) << "the owner would never sleep";
            if (wait_ms < 0 || now_ms_ + static_cast<uint64_t>(wait_ms) > end_ms) break;
            now_ms_ += static_cast<uint64_t>(wait_ms);
        }
        now_ms_ = end_ms;
        return all;
    }

    StoppedProcesses processes_;
    uint64_t now_ms_ = 5000;
};

TEST_F(StoppedProcessesTest, WhileNothingIsStoppedThereIsNothingToWaitFor) {
    EXPECT_EQ(processes_.wait_ms(now_ms_), -1);
    EXPECT_FALSE(processes_.next(now_ms_));
    EXPECT_FALSE(processes_.forget(kOne, now_ms_));
}

TEST_F(StoppedProcessesTest, OneThatStaysStoppedIsToldAndThenKilledOnce) {
    processes_.stopped(kOne, SIGTSTP, now_ms_);
    const auto told = pass(kKillMs - 1);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].pid, kOne);
    EXPECT_EQ(told[0].signal, SIGTSTP);
    EXPECT_FALSE(told[0].is_over);
    EXPECT_EQ(told[0].stood_ms, StoppedProcesses::kTellMs + kSureMs);

    const auto over = pass(1 + kSureMs);
    ASSERT_EQ(over.size(), 1u);
    EXPECT_EQ(over[0].pid, kOne);
    EXPECT_TRUE(over[0].is_over);
    EXPECT_EQ(over[0].stood_ms, kKillMs + kSureMs);

    EXPECT_TRUE(pass(10 * kKillMs).empty()) << "once";
    EXPECT_EQ(processes_.wait_ms(now_ms_), -1);
    processes_.forget(kOne, now_ms_);
}

TEST_F(StoppedProcessesTest, AShortStopIsNotTold) {
    processes_.stopped(kOne, SIGSTOP, now_ms_);
    EXPECT_TRUE(pass(StoppedProcesses::kTellMs - 1).empty());
    EXPECT_FALSE(processes_.forget(kOne, now_ms_));
    EXPECT_EQ(processes_.wait_ms(now_ms_), -1);
}

TEST_F(StoppedProcessesTest, OneThatGoesOnInTimeIsLeftAlone) {
    processes_.stopped(kOne, SIGSTOP, now_ms_);
    EXPECT_EQ(pass(kKillMs - 1).size(), 1u);
    EXPECT_EQ(processes_.forget(kOne, now_ms_), kKillMs - 1);
    EXPECT_TRUE(pass(kKillMs).empty());
}

TEST_F(StoppedProcessesTest, EachStopHasTheWholeTime) {
    processes_.stopped(kOne, SIGSTOP, now_ms_);
    EXPECT_EQ(pass(kKillMs - 1).size(), 1u);
    processes_.stopped(kOne, SIGTTIN, now_ms_);  // it has gone on for a moment
    const auto told = pass(kKillMs - 1);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_FALSE(told[0].is_over);
    EXPECT_EQ(told[0].signal, SIGTTIN);
    const auto over = pass(1 + kSureMs);
    ASSERT_EQ(over.size(), 1u);
    EXPECT_TRUE(over[0].is_over);
}

TEST_F(StoppedProcessesTest, EachHasATimeOfItsOwn) {
    processes_.stopped(kOne, SIGSTOP, now_ms_);
    EXPECT_EQ(pass(kKillMs / 2).size(), 1u);
    processes_.stopped(kOther, SIGSTOP, now_ms_);
    const auto due = pass(kKillMs / 2 + kSureMs);
    ASSERT_EQ(due.size(), 2u);
    EXPECT_EQ(due[0].pid, kOther);
    EXPECT_FALSE(due[0].is_over);
    EXPECT_EQ(due[1].pid, kOne);
    EXPECT_TRUE(due[1].is_over);
    processes_.forget(kOne, now_ms_);
    const auto last = pass(kKillMs);
    ASSERT_EQ(last.size(), 1u);
    EXPECT_EQ(last[0].pid, kOther);
}

TEST_F(StoppedProcessesTest, WithoutALimitOneIsToldAndNeverKilled) {
    processes_.set_kill_ms(0);
    processes_.stopped(kOne, SIGSTOP, now_ms_);
    const auto told = pass(1000 * kKillMs);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_FALSE(told[0].is_over);
    EXPECT_TRUE(processes_.forget(kOne, now_ms_));
}

TEST_F(StoppedProcessesTest, AShortLimitIsToldBeforeItIsOver) {
    processes_.set_kill_ms(1);
    processes_.stopped(kOne, SIGSTOP, now_ms_);
    const auto due = pass(1000);
    ASSERT_EQ(due.size(), 2u);
    EXPECT_FALSE(due[0].is_over);
    EXPECT_TRUE(due[1].is_over);
}

TEST_F(StoppedProcessesTest, WhoeverHasStoppedTheOwnerAsWellMayLetItGoOnFirst) {
    processes_.stopped(kOne, SIGTSTP, now_ms_);
    now_ms_ += 100 * kKillMs;  // the owner stood, too
    EXPECT_FALSE(processes_.next(now_ms_));
    now_ms_ += 1;
    EXPECT_FALSE(processes_.forget(kOne, now_ms_)) << "nothing was told";

    processes_.stopped(kOne, SIGTSTP, now_ms_);
    EXPECT_EQ(pass(kKillMs / 2).size(), 1u);
    now_ms_ += 100 * kKillMs;
    EXPECT_FALSE(processes_.next(now_ms_));
    now_ms_ += kSureMs - 1;
    EXPECT_FALSE(processes_.next(now_ms_));
    now_ms_ += 1;
    EXPECT_TRUE(processes_.next(now_ms_)) << "and it did not";
}

}  // namespace
}  // namespace sluice
