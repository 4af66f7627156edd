#include "server/seam/fair_arena.h"

#include <gtest/gtest.h>
#include <vector>

namespace sluice {
namespace {

constexpr size_t kPageBytes = PageArena::kPageSize;
constexpr size_t kPages = 96;

class FairArenaTest : public testing::Test {
  protected:
    size_t take(uint64_t client, size_t pages = 1, bool is_whole = true) {
        return arena_.allocate(pages * kPageBytes, {client, is_whole});
    }
    /// How many pages a client gets, one by one.
    size_t pages_for(uint64_t client, bool is_whole = true) {
        size_t pages = 0;
        while (take(client, 1, is_whole) != PageArena::kNone)
            ++pages;
        return pages;
    }
    FairArena arena_{kPages * kPageBytes};
};

TEST_F(FairArenaTest, OneClientCannotTakeAll) {
    EXPECT_EQ(pages_for(1), 84u) << "seven eighths";
    EXPECT_EQ(pages_for(2), 4u) << "half of what is left";
    EXPECT_EQ(arena_.used_by(1), 84 * kPageBytes);
}

TEST_F(FairArenaTest, FiveGreedyClientsLeaveSome) {
    for (uint64_t client = 1; client <= 5; ++client)
        EXPECT_GE(pages_for(client), 1u) << client;
    EXPECT_NE(take(6), PageArena::kNone);
}

TEST_F(FairArenaTest, WhatIsOfNobodysShareMayBeAll) {
    EXPECT_EQ(pages_for(0), kPages);
}

TEST_F(FairArenaTest, WhatIsFreedIsTakenOffItsClients) {
    const size_t run = take(1, 5);
    ASSERT_NE(run, PageArena::kNone);
    EXPECT_EQ(arena_.used_by(1), 5 * kPageBytes);
    EXPECT_TRUE(arena_.free(run));
    EXPECT_EQ(arena_.used_by(1), 0u);
    EXPECT_FALSE(arena_.free(run));
    EXPECT_EQ(arena_.used_bytes(), 0u);
}

TEST_F(FairArenaTest, ARunGrowsWhereItStandsAndIsCharged) {
    const size_t run = take(1, 2);
    EXPECT_TRUE(arena_.extend(run, 10 * kPageBytes, true));
    EXPECT_EQ(arena_.size_at(run), 10 * kPageBytes);
    EXPECT_EQ(arena_.used_by(1), 10 * kPageBytes);
    EXPECT_FALSE(arena_.extend(run, 85 * kPageBytes, true)) << "more than its share";
    const size_t behind = take(0);
    EXPECT_FALSE(arena_.extend(run, 11 * kPageBytes, true)) << "another run stands behind this one";
    EXPECT_EQ(arena_.used_by(1), 10 * kPageBytes);
    EXPECT_TRUE(arena_.free(run));
    EXPECT_TRUE(arena_.free(behind));
    EXPECT_EQ(arena_.used_by(1), 0u);
}

TEST_F(FairArenaTest, PartsLeaveHalfSoThatOneCanBecomeWhole) {
    constexpr size_t kParts = kPages / 8 * 3;
    std::vector<size_t> runs;
    uint64_t client = 0;
    for (size_t run = 0; run != PageArena::kNone;) {
        run = take(++client, 1, false);
        if (run != PageArena::kNone) runs.push_back(run);
    }
    EXPECT_EQ(runs.size(), kParts);
    EXPECT_FALSE(arena_.extend(runs.back(), 2 * kPageBytes, false));
    EXPECT_TRUE(arena_.extend(runs.back(), kPages / 2 * kPageBytes, true)) << "the longest message";
    EXPECT_NE(take(++client, 1, false), PageArena::kNone)
        << "a run that is whole does not count among the parts";
    EXPECT_EQ(take(client, 1, false), PageArena::kNone);
    arena_.settle(runs.front());
    EXPECT_EQ(arena_.used_by(1), kPageBytes);
    EXPECT_NE(take(++client, 1, false), PageArena::kNone);
    EXPECT_TRUE(arena_.free(runs[1]));
    EXPECT_NE(take(++client, 1, false), PageArena::kNone);
    EXPECT_EQ(take(++client, 1, false), PageArena::kNone);
}

TEST_F(FairArenaTest, PartsOfOneClientLeaveSomeToParts) {
    EXPECT_EQ(pages_for(1, false), 31u) << "seven eighths of 36";
    EXPECT_NE(take(2, 1, false), PageArena::kNone);
    EXPECT_NE(take(1, 1, true), PageArena::kNone) << "of the whole arena it has little";
}

}  // namespace
}  // namespace sluice
