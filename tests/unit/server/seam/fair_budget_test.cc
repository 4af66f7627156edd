#include "server/seam/fair_budget.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// Takes as much as the client may have, `each` at a time.
uint64_t take_all(FairBudget& budget, uint64_t client, uint64_t each = 1) {
    uint64_t taken = 0;
    while (budget.take(client, each))
        taken += each;
    return taken;
}

TEST(FairBudget, NobodyGetsMoreThanThereIs) {
    FairBudget budget(1000, 1000);
    EXPECT_FALSE(budget.may_have(7, 1001));
    EXPECT_FALSE(budget.may_have(7, UINT64_MAX));
    EXPECT_TRUE(budget.take(7, 1000));
    EXPECT_EQ(budget.used(), 1000u);
    EXPECT_FALSE(budget.may_have(8, 1));
    budget.give_back(7, 400);
    EXPECT_TRUE(budget.may_have(8, 400));
    EXPECT_FALSE(budget.may_have(8, 401));
}

TEST(FairBudget, OneClientLeavesAnEighth) {
    FairBudget budget(1000);
    EXPECT_EQ(take_all(budget, 7), 875u);
    EXPECT_EQ(budget.used_by(7), 875u);
    EXPECT_EQ(budget.used_by(8), 0u);
    EXPECT_EQ(take_all(budget, 8), 13u) << "an eighth of what is then left";
    budget.give_back(7, 875);
    EXPECT_EQ(budget.used_by(7), 0u);
    EXPECT_EQ(budget.used(), 13u);
}

TEST(FairBudget, ManyGreedyClientsLeaveSome) {
    FairBudget budget(1000);
    for (uint64_t client = 1; client <= 30; ++client)
        EXPECT_GE(take_all(budget, client), 1u) << client;
    EXPECT_TRUE(budget.may_have(31, 1));
}

TEST(FairBudget, OfMemoryAClientGetsHalfOfWhatIsLeft) {
    FairBudget budget(1000, 1, fair::kHalf);
    EXPECT_EQ(take_all(budget, 1), 875u);
    EXPECT_EQ(take_all(budget, 2), 41u);
    for (uint64_t client = 3; client <= 7; ++client)
        EXPECT_GE(take_all(budget, client), 1u) << client;
    EXPECT_TRUE(budget.may_have(8, 1));
}

TEST(FairBudget, WhoHoldsNothingMayHaveTheLeast) {
    FairBudget budget(1000, 50);
    EXPECT_EQ(take_all(budget, 1, 25), 875u);
    EXPECT_EQ(take_all(budget, 2, 25), 50u);
    EXPECT_EQ(take_all(budget, 3, 25), 50u);
    EXPECT_EQ(take_all(budget, 4, 25), 25u);
    EXPECT_EQ(take_all(budget, 5, 25), 0u) << "there is nothing left";
}

TEST(FairBudget, AFewAreForWhoeverComes) {
    FairBudget budget(7);
    EXPECT_EQ(take_all(budget, 1), 7u);
    FairBudget one(1);
    EXPECT_EQ(take_all(one, 1), 1u);
    FairBudget none(0);
    EXPECT_FALSE(none.may_have(1, 1));
    EXPECT_TRUE(none.may_have(1, 0));
}

TEST(FairBudget, WhatOthersUseCountsForAll) {
    FairBudget budget(1000);
    EXPECT_TRUE(budget.may_have(1, 75, 800));
    EXPECT_FALSE(budget.may_have(1, 76, 800));
    EXPECT_FALSE(budget.may_have(1, 1, 1000));
    EXPECT_FALSE(budget.may_have(1, 1, 2000)) << "the others have more than there is";
}

TEST(FairBudget, ThoseWhoHaveNothingAreForgotten) {
    FairBudget budget(1000);
    EXPECT_TRUE(budget.take(1, 0));
    budget.give_back(1, 0);
    EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace sluice
