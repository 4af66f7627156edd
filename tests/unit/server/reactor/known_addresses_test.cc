#include "server/reactor/known_addresses.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

class KnownAddressesTest : public testing::Test {
  protected:
    uint64_t now_ms_ = 100'000;
    KnownAddresses addresses_{now_ms_};
};

TEST_F(KnownAddressesTest, WhoTakesAnswersIsKnownForAWhile) {
    EXPECT_FALSE(addresses_.knows(7));
    addresses_.know(7);
    EXPECT_TRUE(addresses_.knows(7));
    EXPECT_FALSE(addresses_.knows(8));
    addresses_.know(0);
    EXPECT_FALSE(addresses_.knows(0)) << "nobody knows this address";
    now_ms_ += KnownAddresses::kKnownMs - 1;
    EXPECT_TRUE(addresses_.knows(7));
    now_ms_ += 1;
    EXPECT_FALSE(addresses_.knows(7));
    EXPECT_FALSE(addresses_.recognizes(7));
    addresses_.know(7);
    EXPECT_TRUE(addresses_.knows(7));
}

TEST_F(KnownAddressesTest, WhoComesAgainStaysKnown) {
    addresses_.know(7);
    addresses_.know(8);
    for (int i = 0; i < 10; ++i) {
        now_ms_ += KnownAddresses::kKnownMs / 2;
        EXPECT_TRUE(addresses_.recognizes(7));
    }
    EXPECT_FALSE(addresses_.knows(8));
    addresses_.know(8);
    now_ms_ += KnownAddresses::kKnownMs / 2;
    addresses_.know(9);
    EXPECT_TRUE(addresses_.knows(8));
}

TEST_F(KnownAddressesTest, TheLatestAreKnown) {
    uint64_t address = 0;
    for (size_t i = 0; i < 3 * KnownAddresses::kMostAddresses; ++i)
        addresses_.know(++address);
    size_t known = 0;
    for (uint64_t one = 1; one <= address; ++one)
        known += addresses_.knows(one);
    EXPECT_LE(known, KnownAddresses::kMostAddresses);
    for (uint64_t one = address; one > address - KnownAddresses::kMostAddresses / 2; --one)
        ASSERT_TRUE(addresses_.knows(one));
}

}  // namespace
}  // namespace sluice
