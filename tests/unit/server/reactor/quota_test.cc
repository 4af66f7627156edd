#include "server/reactor/quota.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(QuotaTest, NoMoreThanAllowedUntilOneIsGivenBack) {
    Quota quota(2);
    EXPECT_TRUE(quota.take());
    EXPECT_TRUE(quota.take());
    EXPECT_FALSE(quota.take());
    EXPECT_EQ(quota.taken(), 2u);
    quota.give_back();
    EXPECT_TRUE(quota.take());
    EXPECT_FALSE(quota.take());
}

}  // namespace
}  // namespace sluice
