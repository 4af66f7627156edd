#include "server/seam/held_places.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr size_t kAll = 1000;
constexpr uint64_t kGreedy = 1, kStranger = 2;

bool may_take(const HeldPlaces& places, uint64_t client, size_t unbegun = 0) {
    return places.has_enough(unbegun) || places.may_take(client, unbegun, unbegun);
}

/// Takes as many places as the client may have; returns how many.
size_t take_all(HeldPlaces& places, uint64_t client) {
    size_t taken = 0;
    for (; taken <= kAll && may_take(places, client); ++taken)
        places.take(client);
    return taken;
}

TEST(HeldPlaces, OneClientLeavesAnEighth) {
    HeldPlaces places(kAll);
    EXPECT_EQ(take_all(places, kGreedy), kAll - kAll / fair::kReserve);
    EXPECT_TRUE(may_take(places, kStranger));
    places.give_back(kGreedy);
    EXPECT_TRUE(may_take(places, kGreedy)) << "who gives back may take again";
}

TEST(HeldPlaces, ManyGreedyClientsLeaveSome) {
    HeldPlaces places(kAll);
    for (uint64_t client = 1; client <= 30; ++client)
        EXPECT_GE(take_all(places, client), 1u) << client;
    EXPECT_TRUE(may_take(places, kStranger + 30));
}

TEST(HeldPlaces, WhoHoldsFewGoesOnWhereOneHoldsMany) {
    HeldPlaces places(kAll);
    for (int i = 0; i < 9; ++i)
        places.take(kStranger);
    take_all(places, kGreedy);
    EXPECT_FALSE(may_take(places, kGreedy));
    EXPECT_TRUE(may_take(places, kStranger));
}

TEST(HeldPlaces, WhoHoldsNoneGetsTheLastOne) {
    for (size_t all : {8, 15}) {
        HeldPlaces places(all);
        EXPECT_EQ(take_all(places, kGreedy), all - 1);
        EXPECT_TRUE(may_take(places, kStranger));
        places.take(kStranger);
        EXPECT_FALSE(may_take(places, 3)) << "none is left";
        places.give_back(kGreedy);
        EXPECT_TRUE(may_take(places, 3));
    }
    HeldPlaces few(7);
    EXPECT_EQ(take_all(few, kGreedy), 7u);
}

TEST(HeldPlaces, MessagesThatHaveNotBegunMayComeToHoldOne) {
    HeldPlaces places(kAll);
    const size_t for_all = kAll - kAll / fair::kReserve;
    EXPECT_TRUE(may_take(places, kGreedy, for_all - 1));
    EXPECT_FALSE(may_take(places, kGreedy, for_all));
    EXPECT_FALSE(may_take(places, kStranger, for_all)) << "they may be the stranger's, too";
    take_all(places, kGreedy);
    size_t unbegun = 0;
    while (may_take(places, kStranger, unbegun))
        ++unbegun;
    EXPECT_GE(unbegun, 1u);
    EXPECT_LE(unbegun, kAll / fair::kReserve / fair::kEighth);
}

TEST(HeldPlaces, OthersThatHaveBegunAreNotTheClients) {
    HeldPlaces places(kAll);
    EXPECT_FALSE(places.has_enough(kAll - 2));
    EXPECT_TRUE(places.may_take(kStranger, kAll - 2, 0));
    EXPECT_FALSE(places.may_take(kStranger, kAll - 2, 1));
    EXPECT_FALSE(places.may_take(kStranger, kAll, 0)) << "none is left";
}

TEST(HeldPlaces, AWorkerHasNoMoreThanTheKernelHasMappingsFor) {
    EXPECT_EQ(HeldPlaces::of_worker(10), 10u);
    EXPECT_LT(HeldPlaces::of_worker(SIZE_MAX), MappingBudget::of_process().most);
}

TEST(HeldPlaces, AWorkerWithFewPlacesIsKeptBusy) {
    HeldPlaces places(1);
    EXPECT_TRUE(places.has_enough(HeldPlaces::kFew - 1));
    EXPECT_FALSE(places.has_enough(HeldPlaces::kFew));
    places.take(kGreedy);
    EXPECT_FALSE(places.has_enough(0)) << "it would take no message";
}

}  // namespace
}  // namespace sluice
