#include "server/reactor/subscription_budget.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(SubscriptionBudget, NobodyGetsMoreThanThereIs) {
    SubscriptionBudget budget(1000);
    EXPECT_TRUE(budget.may_have(0, 1000));
    EXPECT_FALSE(budget.may_have(0, 1001));
    budget.charge(0, 1000);
    EXPECT_EQ(budget.used_bytes(), 1000u);
    EXPECT_FALSE(budget.may_have(0, 1));
    EXPECT_FALSE(budget.may_have(7, 1));
    budget.give_back(0, 400);
    EXPECT_TRUE(budget.may_have(7, 100));
}

TEST(SubscriptionBudget, AnAddressLeavesSomethingToOthers) {
    SubscriptionBudget budget(1000);
    while (budget.may_have(7, 10))
        budget.charge(7, 10);
    EXPECT_EQ(budget.used_by(7), 880u);
    EXPECT_EQ(budget.used_by(8), 0u);
    EXPECT_TRUE(budget.may_have(8, 10));
    budget.give_back(7, 880);
    EXPECT_EQ(budget.used_by(7), 0u);
    EXPECT_EQ(budget.used_bytes(), 0u);
}

}  // namespace
}  // namespace sluice
