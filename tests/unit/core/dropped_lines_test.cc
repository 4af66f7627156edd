#include "core/dropped_lines.h"

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

class DroppedLines : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(log::open_file("/dev/null"));
        log::put_lines_by(put);
        log::count_dropped_in(lines());
    }
    void TearDown() override {
        takes = true;
        log::open_file("");
    }
    log::DroppedLines& lines() const { return *reinterpret_cast<log::DroppedLines*>(memory_.data()); }

    SharedMemory memory_ = SharedMemory::create("lines", 4096);
};

TEST_F(DroppedLines, RepeatsAreCounted) {
    for (unsigned line = 0; line < log::kRepeats + 3; ++line)
        SLUICE_INFO("again");
    EXPECT_EQ(lines().repeated, 3u);
    SLUICE_INFO("another one");
    EXPECT_EQ(lines().repeated, 3u);
    EXPECT_EQ(lines().not_taken, 0u);
}

TEST_F(DroppedLines, LinesThatNobodyTakesAreCounted) {
    takes = false;
    for (int line = 0; line < 4; ++line)
        SLUICE_INFO("line %d", line);
    EXPECT_EQ(lines().not_taken, 4u);
    EXPECT_EQ(lines().repeated, 0u);
}

TEST_F(DroppedLines, NothingIsCountedInMemoryThatHasGone) {
    memory_ = {};
    takes = false;
    SLUICE_INFO("counted nowhere");
    const SharedMemory other = SharedMemory::create("lines", 4096);
    auto& there = *reinterpret_cast<log::DroppedLines*>(other.data());
    log::count_dropped_in(there);
    log::count_dropped(&log::DroppedLines::access_not_taken, 5);
    EXPECT_EQ(there.access_not_taken, 5u);
    EXPECT_EQ(there.not_taken, 0u);
}

}  // namespace
}  // namespace sluice
