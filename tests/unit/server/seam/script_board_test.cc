#include "server/seam/script_board.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ScriptBoard, ACellIsClaimedOnce) {
    const ScriptBoard board = ScriptBoard::create(3);
    ASSERT_TRUE(board);
    EXPECT_EQ(board.claim(10), board.size()) << "no process is there";
    EXPECT_TRUE(board.has_place());
    board.cell(1).pid.store(100);
    board.cell(2).pid.store(101);
    EXPECT_EQ(board.count_free(), 2u);
    EXPECT_EQ(board.claim(10), 1u);
    EXPECT_EQ(board.claim(11), 2u);
    EXPECT_EQ(board.claim(12), board.size());
    EXPECT_FALSE(board.has_free());
    EXPECT_GT(board.cell(1).begun_ms.load(), 0u);
    board.release(1);
    EXPECT_EQ(board.claim(12), 1u);
}

TEST(ScriptBoard, AProcessThatEndsIsNotClaimed) {
    const ScriptBoard board = ScriptBoard::create(1);
    board.cell(0).pid.store(100);
    board.cell(0).ends.store(true);
    EXPECT_FALSE(board.has_free());
    EXPECT_EQ(board.claim(10), board.size());
}

TEST(ScriptBoard, NumbersTellWhoseTheyAre) {
    EXPECT_EQ(ScriptBoard::worker_of(ScriptBoard::number_of(4711, 5)), 4711);
    EXPECT_NE(ScriptBoard::number_of(1, 1), ScriptBoard::kEnding);
}

}  // namespace
}  // namespace sluice
