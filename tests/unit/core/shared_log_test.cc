#include "core/shared_log.h"

#include <gtest/gtest.h>
#include <string_view>
#include <unistd.h>

#include "core/log.h"
#include "core/log_format.h"
#include "core/shared_memory.h"

namespace sluice {
namespace {

bool takes = true;
bool put(int fd, std::string_view line) {
    return takes && write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

class SharedLog : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(log::open_file("/dev/null"));
        log::put_lines_by(put);
        log::share(lines());
    }
    void TearDown() override {
        takes = true;
        SLUICE_INFO("behind a line that says how many are lost");
        log::open_file("");
    }
    log::SharedLog& lines() const { return *reinterpret_cast<log::SharedLog*>(memory_.data()); }

    SharedMemory memory_ = SharedMemory::create("lines", sizeof(log::SharedLog));
};

TEST_F(SharedLog, RepeatsAreCounted) {
    for (unsigned line = 0; line < log::kRepeats + 3; ++line)
        SLUICE_INFO("again");
    EXPECT_EQ(lines().repeated, 3u);
    SLUICE_INFO("another one");
    EXPECT_EQ(lines().repeated, 3u);
    EXPECT_EQ(lines().not_taken, 0u);
}

TEST_F(SharedLog, LinesThatNobodyTakesAreCounted) {
    takes = false;
    for (int line = 0; line < 4; ++line)
        SLUICE_INFO("line %d", line);
    EXPECT_EQ(lines().not_taken, 4u);
    EXPECT_EQ(lines().repeated, 0u);
}

TEST_F(SharedLog, TheLastLinesAreRemembered) {
    EXPECT_EQ(lines().tail(), "");
    takes = false;
    SLUICE_INFO("one");
    SLUICE_WARNING("two\nwith a stack");
    std::string tail = lines().tail();
    EXPECT_NE(tail.find(" info: one\n"), tail.npos);
    EXPECT_TRUE(tail.ends_with(" warning: two\nwith a stack\n"));
    for (size_t number = 0; number < log::SharedLog::kLastLines; ++number)
        lines().remember("line " + std::to_string(number) + "\n");
    tail = lines().tail();
    EXPECT_TRUE(tail.starts_with("line 0\nline 1\n"));
    EXPECT_TRUE(tail.ends_with("line 126\nline 127\n"));
    lines().remember(std::string(2 * log::SharedLog::kLineBytes, 'x') + '\n');
    tail = lines().tail();
    EXPECT_TRUE(tail.starts_with("line 1\n"));
    EXPECT_TRUE(tail.ends_with("line 127\n" + std::string(log::SharedLog::kLineBytes - 1, 'x') + "\n"));
}

TEST_F(SharedLog, WhateverStandsThereIsRead) {
    lines().lines.store(UINT64_MAX);
    EXPECT_EQ(lines().tail(), "");
    lines().lines.store(1);
    lines().last[1].number.store(1);
    lines().last[1].size = UINT32_MAX;
    EXPECT_EQ(lines().tail().size(), log::SharedLog::kLineBytes);
}

TEST_F(SharedLog, NothingIsCountedInMemoryThatHasGone) {
    memory_ = {};
    takes = false;
    SLUICE_INFO("counted nowhere");
    const SharedMemory other = SharedMemory::create("lines", sizeof(log::SharedLog));
    auto& there = *reinterpret_cast<log::SharedLog*>(other.data());
    log::share(there);
    log::count_dropped(&log::SharedLog::access_not_taken, 5);
    EXPECT_EQ(there.access_not_taken, 5u);
    EXPECT_EQ(there.not_taken, 0u);
}

}  // namespace
}  // namespace sluice
