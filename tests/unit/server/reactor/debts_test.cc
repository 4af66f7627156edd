#include "server/reactor/debts.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

class DebtsTest : public testing::Test {
  protected:
    uint64_t now_ms_ = 100'000;
    Debts debts_{now_ms_};
};

TEST_F(DebtsTest, AnAnswerThatWasNotTakenIsPaidByOthers) {
    debts_.taken(7);
    EXPECT_FALSE(debts_.owes(7));
    debts_.untaken(7);
    EXPECT_TRUE(debts_.owes(7));
    EXPECT_FALSE(debts_.owes(8));
    for (uint32_t i = 1; i < Debts::kCost; ++i)
        debts_.taken(7);
    debts_.taken(8);
    EXPECT_TRUE(debts_.owes(7));
    debts_.taken(7);
    EXPECT_FALSE(debts_.owes(7));
    debts_.taken(7);
    EXPECT_FALSE(debts_.owes(7));
}

TEST_F(DebtsTest, NobodyOwesForLong) {
    for (int i = 0; i < 100; ++i)
        debts_.untaken(7);
    for (uint32_t i = 1; i < Debts::kMost; ++i)
        debts_.taken(7);
    EXPECT_TRUE(debts_.owes(7));
    debts_.taken(7);
    EXPECT_FALSE(debts_.owes(7));
    debts_.untaken(8);
    now_ms_ += Debts::kForgottenMs - 1;
    EXPECT_TRUE(debts_.owes(8));
    now_ms_ += 1;
    EXPECT_FALSE(debts_.owes(8));
    debts_.untaken(8);
    for (uint32_t i = 0; i < Debts::kCost; ++i)
        debts_.taken(8);
    EXPECT_FALSE(debts_.owes(8)) << "what was forgotten is not owed again";
}

TEST_F(DebtsTest, WhoTakesAnswersIsKnownForAWhile) {
    EXPECT_FALSE(debts_.knows(7));
    debts_.know(7);
    EXPECT_TRUE(debts_.knows(7));
    EXPECT_FALSE(debts_.knows(8));
    debts_.know(0);
    EXPECT_FALSE(debts_.knows(0)) << "nobody knows this address";
    now_ms_ += Debts::kKnownMs - 1;
    EXPECT_TRUE(debts_.knows(7));
    now_ms_ += 1;
    EXPECT_FALSE(debts_.knows(7));
    EXPECT_FALSE(debts_.recognizes(7));
    debts_.know(7);
    EXPECT_TRUE(debts_.knows(7));
    debts_.untaken(7);
    EXPECT_FALSE(debts_.knows(7)) << "nor who has let an answer be made";
}

TEST_F(DebtsTest, WhoComesAgainStaysKnown) {
    debts_.know(7);
    debts_.know(8);
    for (int i = 0; i < 10; ++i) {
        now_ms_ += Debts::kKnownMs / 2;
        EXPECT_TRUE(debts_.recognizes(7));
    }
    EXPECT_FALSE(debts_.knows(8));
    debts_.know(8);
    now_ms_ += Debts::kKnownMs / 2;
    debts_.know(9);
    EXPECT_TRUE(debts_.knows(8));
    debts_.untaken(8);
    EXPECT_FALSE(debts_.knows(8)) << "also among those before";
}

TEST_F(DebtsTest, TheLatestAreKnown) {
    uint64_t address = 0;
    for (size_t i = 0; i < 3 * Debts::kMostAddresses; ++i)
        debts_.know(++address);
    size_t known = 0;
    for (uint64_t one = 1; one <= address; ++one)
        known += debts_.knows(one);
    EXPECT_LE(known, Debts::kMostAddresses);
    for (uint64_t one = address; one > address - Debts::kMostAddresses / 2; --one)
        ASSERT_TRUE(debts_.knows(one));
}

TEST_F(DebtsTest, LeavingBeforeTheRequestWasBegunCostsLess) {
    debts_.unawaited(7);
    EXPECT_TRUE(debts_.owes(7));
    debts_.taken(7);
    EXPECT_FALSE(debts_.owes(7));
}

TEST_F(DebtsTest, WhoHasLetMoreThanTwoAnswersBeMadeOwesMuch) {
    debts_.untaken(7);
    debts_.untaken(7);
    EXPECT_FALSE(debts_.owes_much(7));
    debts_.unawaited(7);
    EXPECT_TRUE(debts_.owes_much(7));
    EXPECT_FALSE(debts_.owes_much(8));
    debts_.taken(7);
    EXPECT_FALSE(debts_.owes_much(7));
    debts_.untaken(7);
    now_ms_ += Debts::kForgottenMs;
    EXPECT_FALSE(debts_.owes_much(7));
}

TEST_F(DebtsTest, WhomNobodyKnowsNeverOwes) {
    debts_.untaken(0);
    EXPECT_FALSE(debts_.owes(0));
}

TEST_F(DebtsTest, SoManyAddressesAreRemembered) {
    for (uint64_t address = 1; address <= Debts::kMostAddresses + 10; ++address)
        debts_.untaken(address);
    EXPECT_TRUE(debts_.owes(Debts::kMostAddresses + 10));
    size_t owing = 0;
    for (uint64_t address = 1; address <= Debts::kMostAddresses + 10; ++address)
        owing += debts_.owes(address);
    EXPECT_EQ(owing, Debts::kMostAddresses);
}

}  // namespace
}  // namespace sluice
