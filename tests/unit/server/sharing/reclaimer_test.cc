#include "server/sharing/reclaimer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace sluice {
namespace {

std::vector<uint64_t> take(Reclaimer& reclaimer, size_t count, unsigned last_rank = UINT32_MAX) {
    std::vector<uint64_t> taken;
    while (taken.size() < count) {
        const auto item = reclaimer.next(last_rank);
        if (!item) break;
        taken.push_back(*item);
    }
    return taken;
}

using Items = std::vector<uint64_t>;

TEST(Reclaimer, TheHolderThatHasMostLosesItsWorst) {
    Reclaimer reclaimer;
    for (uint64_t item = 1; item <= 5; ++item)
        reclaimer.offer({7, item, 10, item});
    reclaimer.offer({8, 100, 45, 1000});
    EXPECT_EQ(take(reclaimer, 1), (Items{5})) << "the crowd has more, though none of it has";
    EXPECT_EQ(take(reclaimer, 1), (Items{100})) << "now the other has more";
    EXPECT_EQ(take(reclaimer, 9), (Items{4, 3, 2, 1}));
    EXPECT_FALSE(reclaimer.next());
}

TEST(Reclaimer, LowerRanksGoFirst) {
    Reclaimer reclaimer;
    reclaimer.offer({7, 1, 1000, 9, 2});
    reclaimer.offer({7, 2, 1, 1, 0});
    reclaimer.offer({8, 3, 2, 1, 1});
    EXPECT_EQ(take(reclaimer, 9, 0), (Items{2}));
    EXPECT_EQ(take(reclaimer, 9, 1), (Items{3}));
    EXPECT_EQ(take(reclaimer, 9), (Items{1}));
}

TEST(Reclaimer, OfThoseWhoHaveTheSameTheWorstGoes) {
    Reclaimer reclaimer;
    for (uint64_t holder = 1; holder <= 4; ++holder)
        reclaimer.offer({holder, holder, 1, holder * 3 % 5});
    EXPECT_EQ(take(reclaimer, 4), (Items{3, 1, 4, 2}));
}

TEST(Reclaimer, ALookBeginsAnew) {
    Reclaimer reclaimer;
    EXPECT_FALSE(reclaimer.next());
    reclaimer.clear();
    reclaimer.offer({7, 1, 1, 1});
    reclaimer.offer({7, 2, 1, 2});
    EXPECT_EQ(take(reclaimer, 1), (Items{2}));
    reclaimer.clear();
    EXPECT_EQ(reclaimer.size(), 0u);
    reclaimer.offer({7, 3, 1, 1});
    EXPECT_EQ(take(reclaimer, 9), (Items{3}));
}

/// Whoever has less than what the greedy ones keep loses nothing; and these end level.
TEST(Reclaimer, WhatIsKeptEndsLevel) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        Reclaimer reclaimer;
        std::map<uint64_t, uint64_t> kept;
        std::vector<std::pair<uint64_t, uint64_t>> items;  // holder and amount
        for (uint64_t holder = 1; holder <= 40; ++holder) {
            // Heavy-tailed: most have one or two, some have hundreds.
            const uint64_t count = 1 + 400 / (1 + random() % 400);
            for (uint64_t i = 0; i < count; ++i) {
                const uint64_t amount = 1 + random() % 10;
                reclaimer.offer({holder, items.size(), amount, random() % 100});
                items.emplace_back(holder, amount);
                kept[holder] += amount;
            }
        }
        std::map<uint64_t, uint64_t> before = kept;
        for (const uint64_t item : take(reclaimer, items.size() / 2)) {
            const uint64_t most =
                std::ranges::max_element(kept, {}, &std::pair<const uint64_t, uint64_t>::second)->second;
            EXPECT_EQ(kept[items[item].first], most);
            kept[items[item].first] -= items[item].second;
        }
        const uint64_t level =
            std::ranges::max_element(kept, {}, &std::pair<const uint64_t, uint64_t>::second)->second;
        for (const auto& [holder, amount] : kept) {
            if (amount != before[holder]) {
                EXPECT_GE(amount + 10, level) << "nobody loses more than one item below the level";
            }
        }
    }
}

/// In virtual time: 1,000 places, crowds of one address and of many, and clients that hold one for a while.
/// Who holds one place loses none while somebody holds more.
TEST(Reclaimer, WhoHoldsOneIsLeftAloneBesideACrowd) {
    constexpr size_t kPlaces = 1000;
    std::map<uint64_t, std::pair<uint64_t, uint64_t>> places;  // by item: the holder, and since when
    uint64_t innocents_lost = 0, item = 0;
    Reclaimer reclaimer;
    for (uint64_t now = 0; now < 2000; ++now) {
        for (uint64_t i = 0; i < 30; ++i)
            places[++item] = {1 + i % 3, now};  // three greedy addresses
        places[++item] = {1000 + now, now};     // and one client of an address of its own
        std::erase_if(places, [now](const auto& place) {
            const auto [holder, since] = place.second;
            return holder >= 1000 && since + 200 <= now;
        });
        if (places.size() <= kPlaces) continue;
        for (const auto& [number, place] : places)
            reclaimer.offer({place.first, number, 1, now - place.second});
        for (const uint64_t taken : take(reclaimer, places.size() - kPlaces)) {
            innocents_lost += places[taken].first >= 1000;
            places.erase(taken);
        }
        reclaimer.clear();
    }
    EXPECT_EQ(innocents_lost, 0u);
}

TEST(Reclaimer, AMillionCandidatesAreTakenInTheirOrder) {
    Reclaimer reclaimer;
    for (uint64_t item = 0; item < 1'000'000; ++item)
        reclaimer.offer({item % 1000 ? item : 1, item, 1, item});
    uint64_t before = UINT64_MAX;
    for (const uint64_t item : take(reclaimer, 900)) {
        EXPECT_EQ(item % 1000, 0u) << "one holder has a thousand, all others one";
        EXPECT_LT(item, before);
        before = item;
    }
}

}  // namespace
}  // namespace sluice
