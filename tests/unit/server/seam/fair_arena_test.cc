#include "server/seam/fair_arena.h"

#include <gtest/gtest.h>
#include <vector>

namespace sluice {
namespace {

constexpr size_t kPageBytes = PageArena::kPageSize;
constexpr size_t kPages = 96;

class FairArenaTest : public testing::Test {
  protected:
    Ref<ArenaAccount> client(Ref<ArenaAccount> address = {}) {
        return Ref<ArenaAccount>::adopt(new ArenaAccount(std::move(address)));
    }
    size_t take(ArenaAccount* account, size_t pages = 1, bool is_whole = true) {
        return arena_.allocate(pages * kPageBytes, {account, is_whole});
    }
    /// How many pages a client gets, one by one.
    size_t pages_for(ArenaAccount* account, bool is_whole = true) {
        size_t pages = 0;
        while (take(account, 1, is_whole) != PageArena::kNone)
            ++pages;
        return pages;
    }
    FairArena arena_{kPages * kPageBytes};
};

TEST_F(FairArenaTest, OneClientCannotTakeAll) {
    const auto first = client(), second = client();
    EXPECT_EQ(pages_for(first.get()), 84u) << "seven eighths";
    EXPECT_EQ(pages_for(second.get()), 4u) << "half of what is left";
    EXPECT_EQ(first->bytes, 84 * kPageBytes);
}

TEST_F(FairArenaTest, FiveGreedyAddressesLeaveSome) {
    for (int i = 0; i < 5; ++i)
        EXPECT_GE(pages_for(client(client()).get()), 1u) << i;
    EXPECT_NE(take(client(client()).get()), PageArena::kNone);
}

TEST_F(FairArenaTest, AllClientsOfAnAddressAreOneAgainstOthers) {
    const auto address = client();
    std::vector<Ref<ArenaAccount>> clients;
    for (int i = 0; i < 100; ++i) {
        clients.push_back(client(address));
        pages_for(clients.back().get());
    }
    EXPECT_EQ(address->bytes, 84 * kPageBytes);
    const auto other = client(client());
    EXPECT_EQ(pages_for(other.get()), 4u);
}

TEST_F(FairArenaTest, WhatIsOfNobodysShareMayBeAll) {
    EXPECT_EQ(pages_for(nullptr), kPages);
}

TEST_F(FairArenaTest, WhatIsFreedIsTakenOffTheAccount) {
    auto address = client();
    auto one = client(address);
    const size_t run = take(one.get(), 5);
    ASSERT_NE(run, PageArena::kNone);
    ArenaAccount* gone = one.get();
    one = {};  // the run still refers to its account
    EXPECT_EQ(gone->bytes, 5 * kPageBytes);
    EXPECT_FALSE(address->is_unique());
    EXPECT_TRUE(arena_.free(run));
    EXPECT_EQ(address->bytes, 0u);
    EXPECT_TRUE(address->is_unique());
    EXPECT_FALSE(arena_.free(run));
    EXPECT_EQ(arena_.used_bytes(), 0u);
}

TEST_F(FairArenaTest, ARunGrowsWhereItStandsAndIsCharged) {
    const auto one = client();
    const size_t run = take(one.get(), 2);
    EXPECT_TRUE(arena_.extend(run, 10 * kPageBytes, true));
    EXPECT_EQ(arena_.size_at(run), 10 * kPageBytes);
    EXPECT_EQ(one->bytes, 10 * kPageBytes);
    EXPECT_FALSE(arena_.extend(run, 85 * kPageBytes, true)) << "more than its share";
    const size_t behind = take(nullptr);
    EXPECT_FALSE(arena_.extend(run, 11 * kPageBytes, true)) << "another run stands behind this one";
    EXPECT_EQ(one->bytes, 10 * kPageBytes);
    EXPECT_TRUE(arena_.free(run));
    EXPECT_TRUE(arena_.free(behind));
    EXPECT_EQ(one->bytes, 0u);
}

TEST_F(FairArenaTest, PartsLeaveHalfSoThatOneCanBecomeWhole) {
    constexpr size_t kParts = kPages / 8 * 3;
    std::vector<Ref<ArenaAccount>> clients;
    std::vector<size_t> runs;
    for (size_t run = 0; run != PageArena::kNone;) {
        clients.push_back(client());
        run = take(clients.back().get(), 1, false);
        if (run != PageArena::kNone) runs.push_back(run);
    }
    EXPECT_EQ(runs.size(), kParts);
    EXPECT_FALSE(arena_.extend(runs.back(), 2 * kPageBytes, false));
    EXPECT_TRUE(arena_.extend(runs.back(), kPages / 2 * kPageBytes, true)) << "the longest message";
    const auto next = client();
    EXPECT_NE(take(next.get(), 1, false), PageArena::kNone)
        << "a run that is whole does not count among the parts";
    EXPECT_EQ(take(next.get(), 1, false), PageArena::kNone);
    arena_.settle(runs.front());
    EXPECT_EQ(clients.front()->partial_bytes, 0u);
    EXPECT_EQ(clients.front()->bytes, kPageBytes);
    EXPECT_NE(take(client().get(), 1, false), PageArena::kNone);
    EXPECT_TRUE(arena_.free(runs[1]));
    EXPECT_NE(take(client().get(), 1, false), PageArena::kNone);
    EXPECT_EQ(take(client().get(), 1, false), PageArena::kNone);
}

TEST_F(FairArenaTest, PartsOfOneClientLeaveSomeToParts) {
    const auto greedy = client(client()), other = client(client());
    EXPECT_EQ(pages_for(greedy.get(), false), 31u) << "seven eighths of 36";
    EXPECT_EQ(greedy->address->partial_bytes, greedy->bytes);
    EXPECT_NE(take(other.get(), 1, false), PageArena::kNone);
    EXPECT_NE(take(greedy.get(), 1, true), PageArena::kNone) << "of the whole arena it has little";
}

}  // namespace
}  // namespace sluice
