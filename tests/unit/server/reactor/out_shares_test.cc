#include "server/reactor/out_shares.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(OutShares, ClientsOfOneAddressShareItsPart) {
    OutShares shares;
    EXPECT_EQ(shares.fair_part(900), 900u);
    shares.set(1, 7, 100);
    shares.set(2, 7, 50);
    shares.set(3, 8, 10);
    EXPECT_EQ(shares.held_by(7), 150u);
    EXPECT_EQ(shares.held_by(8), 10u);
    EXPECT_EQ(shares.held_by_client(2), 50u);
    EXPECT_EQ(shares.fair_part(900), 300u) << "the part is for one client more than hold something";
    shares.set(1, 7, 30);
    EXPECT_EQ(shares.held_by(7), 80u);
    shares.set(1, 7, 0);
    shares.set(2, 7, 0);
    EXPECT_EQ(shares.held_by(7), 0u);
    EXPECT_EQ(shares.held_by_client(1), 0u);
    EXPECT_EQ(shares.fair_part(900), 450u);
}

TEST(OutShares, WhoHoldsNothingTakesNoPart) {
    OutShares shares;
    shares.set(1, 7, 0);
    EXPECT_EQ(shares.fair_part(900), 900u);
}

TEST(OutShares, ThoseWhomNobodyKnowsAreNotCounted) {
    OutShares shares;
    shares.set(1, 0, 100);
    EXPECT_EQ(shares.held_by(0), 0u);
    EXPECT_EQ(shares.held_by_client(1), 0u);
    EXPECT_EQ(shares.fair_part(900), 900u);
}

}  // namespace
}  // namespace sluice
