#include "server/sharing/flow_costs.h"

#include <gtest/gtest.h>
#include <vector>

namespace sluice {
namespace {

/// Keys as a keyed hash makes them.
uint64_t key(uint64_t number) {
    uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 31;
    return mixed * 0xBF58476D1CE4E5B9u;
}

class FlowCostsTest : public testing::Test {
  protected:
    std::vector<CostCell> cells_ = std::vector<CostCell>(FlowCosts::cells_for(1024));
    FlowCosts costs_{cells_};
    uint64_t now_ms_ = 5'000'000;
};

TEST_F(FlowCostsTest, WhatWasChargedIsThereAndHalves) {
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_), 0u);
    costs_.charge(key(1), 1000, now_ms_);
    costs_.charge(key(1), 3000, now_ms_);
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_), 4000u);
    EXPECT_EQ(costs_.recent_us(key(2), now_ms_), 0u);
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_ + FlowCosts::kHalfLifeMs), 2000u);
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_ + 4 * FlowCosts::kHalfLifeMs), 250u);
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_ + 1000 * FlowCosts::kHalfLifeMs), 0u);
}

TEST_F(FlowCostsTest, DecayDoesNotDependOnHowOftenItIsAsked) {
    costs_.charge(key(1), 100'000, now_ms_);
    costs_.charge(key(2), 100'000, now_ms_);
    for (uint64_t ms = 1; ms <= 1000; ++ms)
        costs_.charge(key(1), 1, now_ms_ + ms);
    const uint32_t often = costs_.recent_us(key(1), now_ms_ + 1000);
    const uint32_t once = costs_.recent_us(key(2), now_ms_ + 1000);
    EXPECT_NEAR(often, once + 540, 540) << "beside the thousand that were charged meanwhile";
}

TEST_F(FlowCostsTest, NobodyCostsMoreThanTheMostSoNobodyIsOldForLong) {
    for (int i = 0; i < 100; ++i)
        costs_.charge(key(1), INT32_MAX, now_ms_);
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_), FlowCosts::kMostUs);
    EXPECT_LT(costs_.recent_us(key(1), now_ms_ + 8000), 1000u);
}

TEST_F(FlowCostsTest, AClockThatIsAMomentBehindChangesNothing) {
    costs_.charge(key(1), 1000, now_ms_);
    EXPECT_EQ(costs_.recent_us(key(1), now_ms_ - 3), 1000u);
}

TEST_F(FlowCostsTest, AHundredDearFlowsAreHardlyEverTakenForAnother) {
    for (uint64_t i = 0; i < 100; ++i)
        costs_.charge(key(i), 500'000, now_ms_);
    unsigned taken_for_dear = 0;
    for (uint64_t i = 1000; i < 11'000; ++i)
        taken_for_dear += costs_.recent_us(key(i), now_ms_) > 0;
    // A tenth of each row is dear: a hundredth has two dear cells.
    EXPECT_LT(taken_for_dear, 200u);
}

TEST_F(FlowCostsTest, ManyCheapFlowsDoNotAddUpToADearOne) {
    for (uint64_t i = 0; i < 10'000; ++i)
        costs_.charge(key(i), 100, now_ms_);
    uint64_t sum = 0;
    for (uint64_t i = 20'000; i < 21'000; ++i)
        sum += costs_.recent_us(key(i), now_ms_);
    EXPECT_LT(sum / 1000, 1000u) << "ten to a cell, and the lesser cell counts";
}

}  // namespace
}  // namespace sluice
