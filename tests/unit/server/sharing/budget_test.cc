#include "server/sharing/budget.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <queue>
#include <random>
#include <vector>

namespace sluice {
namespace {

/// Takes as much as the client may have, `each` at a time.
uint64_t take_all(Budget& budget, uint64_t client, uint64_t each = 1) {
    uint64_t taken = 0;
    while (budget.take(client, each))
        taken += each;
    return taken;
}

TEST(Budget, NobodyGetsMoreThanThereIs) {
    Budget budget(1000, 1000);
    EXPECT_FALSE(budget.may_have(7, 1001));
    EXPECT_FALSE(budget.may_have(7, UINT64_MAX));
    EXPECT_TRUE(budget.take(7, 1000));
    EXPECT_EQ(budget.used(), 1000u);
    EXPECT_FALSE(budget.may_have(8, 1));
    budget.give_back(7, 400);
    EXPECT_TRUE(budget.may_have(8, 400));
    EXPECT_FALSE(budget.may_have(8, 401));
}

TEST(Budget, OneClientLeavesAnEighth) {
    Budget budget(1000);
    EXPECT_EQ(take_all(budget, 7), 875u);
    EXPECT_EQ(budget.used_by(7), 875u);
    EXPECT_EQ(budget.used_by(8), 0u);
    EXPECT_EQ(take_all(budget, 8), 13u) << "an eighth of what is then left";
    budget.give_back(7, 875);
    EXPECT_EQ(budget.used_by(7), 0u);
    EXPECT_EQ(budget.used(), 13u);
}

TEST(Budget, ManyGreedyClientsLeaveSome) {
    Budget budget(1000);
    for (uint64_t client = 1; client <= 30; ++client)
        EXPECT_GE(take_all(budget, client), 1u) << client;
    EXPECT_TRUE(budget.may_have(31, 1));
}

TEST(Budget, OfMemoryAClientGetsHalfOfWhatIsLeft) {
    Budget budget(1000, 1, ShareRule::kHalf);
    EXPECT_EQ(take_all(budget, 1), 875u);
    EXPECT_EQ(take_all(budget, 2), 41u);
    for (uint64_t client = 3; client <= 7; ++client)
        EXPECT_GE(take_all(budget, client), 1u) << client;
    EXPECT_TRUE(budget.may_have(8, 1));
}

TEST(Budget, WhoHoldsNothingMayHaveTheLeast) {
    Budget budget(1000, 50);
    EXPECT_EQ(take_all(budget, 1, 25), 875u);
    EXPECT_EQ(take_all(budget, 2, 25), 50u);
    EXPECT_EQ(take_all(budget, 3, 25), 50u);
    EXPECT_EQ(take_all(budget, 4, 25), 25u);
    EXPECT_EQ(take_all(budget, 5, 25), 0u) << "there is nothing left";
}

TEST(Budget, AFewAreForWhoeverComes) {
    Budget budget(7);
    EXPECT_EQ(take_all(budget, 1), 7u);
    Budget one(1);
    EXPECT_EQ(take_all(one, 1), 1u);
    Budget none(0);
    EXPECT_FALSE(none.may_have(1, 1));
    EXPECT_TRUE(none.may_have(1, 0));
}

TEST(Budget, WhatOthersUseCountsForAll) {
    Budget budget(1000);
    EXPECT_TRUE(budget.may_have(1, 75, {.used = 800}));
    EXPECT_FALSE(budget.may_have(1, 76, {.used = 800}));
    EXPECT_FALSE(budget.may_have(1, 1, {.used = 1000}));
    EXPECT_FALSE(budget.may_have(1, 1, {.used = 2000})) << "the others have more than there is";
}

TEST(Budget, ThoseWhoHaveNothingAreForgotten) {
    Budget budget(1000);
    EXPECT_TRUE(budget.take(1, 0));
    budget.give_back(1, 0);
    EXPECT_EQ(budget.used(), 0u);
}

TEST(Budget, WhatMayBeTheKeysCountsForIt) {
    Budget places(1000);
    take_all(places, 1);
    uint64_t unbegun = 0;
    while (places.may_have(2, 1, {unbegun, unbegun}))
        ++unbegun;
    EXPECT_GE(unbegun, 1u);
    EXPECT_LE(unbegun, 1000 / ShareRule::kReserve / ShareRule::kEighth);
    EXPECT_TRUE(Budget(1000).may_have(2, 1, {998, 0}));
    EXPECT_FALSE(Budget(1000).may_have(2, 1, {998, 1}));
    EXPECT_FALSE(Budget(1000).may_have(2, 1, {1000, 0})) << "none is left";
}

TEST(Budget, WhatIsNobodysIsBoundedByTheTotal) {
    Budget budget(1000);
    EXPECT_EQ(take_all(budget, Budget::kNobody), 1000u);
    EXPECT_EQ(budget.keys(), 0u);
    budget.give_back(Budget::kNobody, 1000);
    EXPECT_EQ(budget.used(), 0u);
}

TEST(Budget, OpenIsWhatTheRuleSays) {
    Budget half(ShareRule{.most = 1000, .open = 500, .part = ShareRule::kHalf});
    EXPECT_TRUE(half.is_open(500));
    EXPECT_FALSE(half.is_open(501));
    EXPECT_EQ(take_all(half, 1), 500u);
    EXPECT_EQ(take_all(half, 2), 166u) << "half of what it leaves";
    EXPECT_EQ(half.rule().share(half.used()), 167u);
    EXPECT_EQ(half.rule().share(1001), 0u);
}

/// Those who want the same come in turns until nobody gets more.
TEST(Budget, WhoWantTheSameGetTheSame) {
    for (const uint64_t keys : {2, 10, 100, 1000}) {
        const uint64_t most = 1'000'000, open = most / 2;
        Budget budget(ShareRule{.most = most, .open = open, .part = ShareRule::kHalf});
        take_all(budget, 1);
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (uint64_t key = 2; key <= keys + 1; ++key)
                has_changed |= budget.take(key, 10);
        }
        const uint64_t each = (most - open) / (keys + ShareRule::kHalf);
        for (uint64_t key = 2; key <= keys + 1; ++key)
            EXPECT_NEAR(static_cast<double>(budget.used_by(key)), static_cast<double>(each), 30.0) << keys;
    }
}

TEST(Budget, EachOfManyGreedyKeysLeavesAPartToTheNext) {
    for (const uint64_t part : {ShareRule::kEighth, ShareRule::kHalf}) {
        const double most = 1e12;
        Budget budget(uint64_t{1'000'000'000'000}, 1, part);
        take_all(budget, 1, 1'000'000'000);
        double left = most / ShareRule::kReserve;
        for (uint64_t key = 2; key < 50; ++key) {
            uint64_t step = uint64_t{1} << 39, taken = 0;
            for (; step; step /= 2)
                while (budget.take(key, step))
                    taken += step;
            const double fair = left / static_cast<double>(part + 1);
            EXPECT_NEAR(static_cast<double>(taken), fair, 2.0) << key;
            left -= fair;
        }
    }
}

/// In virtual time: 100 greedy keys take all that they may, whenever they may, and keep it; a crowd comes,
/// takes one each for a heavy-tailed time, and goes. Only what the rule leaves is between them.
TEST(Budget, ACrowdIsServedBesideGreedyKeys) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(1e-6, 1.0);
    for (const uint64_t greedy : {1, 5, 25}) {
        Budget budget(uint64_t{10'000});
        using End = std::pair<uint64_t, uint64_t>;
        std::priority_queue<End, std::vector<End>, std::greater<>> ends;
        uint64_t refused = 0, now = 0;
        for (uint64_t key = 1'000; key < 101'000; ++key, now += 10) {
            for (; !ends.empty() && ends.top().first <= now; ends.pop())
                budget.give_back(ends.top().second);
            for (uint64_t one = 1; one <= greedy; ++one)
                take_all(budget, one);
            if (!budget.take(key)) {
                ++refused;
                continue;
            }
            // Pareto with index 1.5: 150 on the average, so 15 have one at a time.
            ends.push({now + static_cast<uint64_t>(50.0 * std::pow(uniform(random), -1 / 1.5)), key});
        }
        EXPECT_EQ(refused, 0u) << greedy;
        EXPECT_LE(budget.used(), 10'000u);
    }
}

TEST(Budget, AMillionKeysTakeMemoryForAsLongAsTheyHaveSomething) {
    Holdings holdings;
    for (uint64_t key = 1; key <= 1'000'000; ++key)
        holdings.add(key << 20, key);
    EXPECT_EQ(holdings.size(), 1'000'000u);
    for (uint64_t key = 1; key <= 1'000'000; key += 997)
        EXPECT_EQ(holdings.of(key << 20), key);
    for (uint64_t key = 1; key <= 1'000'000; ++key) {
        holdings.take(key << 20, key);
        if (key % 99'991 == 0) {
            EXPECT_EQ(holdings.of((key + 1) << 20), key + 1);
        }
    }
    EXPECT_EQ(holdings.size(), 0u);
    EXPECT_LE(holdings.capacity(), 8u);
}

/// Against a map that keeps the same.
TEST(Holdings, KeepsWhatWasAdded) {
    std::mt19937_64 random(7);
    Holdings holdings;
    std::map<uint64_t, uint64_t> kept;
    for (int i = 0; i < 200'000; ++i) {
        const uint64_t key = 1 + random() % 300;
        const auto found = kept.find(key);
        if (random() % 2 && found != kept.end()) {
            const uint64_t amount = random() % 3 ? found->second : 1;
            holdings.take(key, amount);
            if ((found->second -= amount) == 0) kept.erase(found);
        } else if (kept.size() < 200) {
            const uint64_t amount = 1 + random() % 1000;
            holdings.add(key, amount);
            kept[key] += amount;
        }
        ASSERT_EQ(holdings.size(), kept.size());
        ASSERT_EQ(holdings.of(key), kept.contains(key) ? kept.at(key) : 0);
    }
    for (const auto& [key, amount] : kept)
        EXPECT_EQ(holdings.of(key), amount);
    EXPECT_EQ(holdings.of(0), 0u);
}

}  // namespace
}  // namespace sluice
