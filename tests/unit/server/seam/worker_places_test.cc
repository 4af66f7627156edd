#include "server/seam/worker_places.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr size_t kAll = 1000;
constexpr uint64_t kGreedy = 1, kStranger = 2;

size_t take_all(Budget& places, uint64_t client) {
    size_t taken = 0;
    for (; taken <= kAll && has_place_for(places, client, 0, 0); ++taken)
        places.charge(client, 1);
    return taken;
}

TEST(WorkerPlaces, WhoHoldsFewGoesOnWhereOneHoldsMany) {
    Budget places(kAll);
    places.charge(kStranger, 9);
    EXPECT_EQ(take_all(places, kGreedy) + 9, kAll - kAll / ShareRule::kReserve);
    EXPECT_FALSE(has_place_for(places, kGreedy, 0, 0));
    EXPECT_TRUE(has_place_for(places, kStranger, 0, 0));
}

TEST(WorkerPlaces, WhoHoldsNoneGetsTheLastOne) {
    for (size_t all : {8, 15}) {
        Budget places(all);
        EXPECT_EQ(take_all(places, kGreedy), all - 1);
        EXPECT_TRUE(has_place_for(places, kStranger, 0, 0));
        places.charge(kStranger, 1);
        EXPECT_FALSE(has_place_for(places, 3, 0, 0)) << "none is left";
        places.give_back(kGreedy);
        EXPECT_TRUE(has_place_for(places, 3, 0, 0));
    }
}

TEST(WorkerPlaces, MessagesThatHaveNotBegunMayComeToHoldOne) {
    Budget places(kAll);
    const size_t open = places.rule().open;
    EXPECT_TRUE(has_place_for(places, kGreedy, open - 1, open - 1));
    EXPECT_FALSE(has_place_for(places, kGreedy, open, open));
    EXPECT_FALSE(has_place_for(places, kStranger, open, open)) << "they may be the stranger's, too";
    EXPECT_TRUE(has_place_for(places, kStranger, open, 0)) << "others have begun, so they are not";
}

TEST(WorkerPlaces, AWorkerHasNoMoreThanTheKernelHasMappingsFor) {
    EXPECT_EQ(places_of_worker(10), 10u);
    EXPECT_LT(places_of_worker(SIZE_MAX), MappingBudget::of_process().most);
}

TEST(WorkerPlaces, AWorkerWithFewPlacesIsKeptBusy) {
    Budget places(1);
    EXPECT_TRUE(has_place_for_anybody(places, 15));
    EXPECT_FALSE(has_place_for_anybody(places, 16));
    places.charge(kGreedy, 1);
    EXPECT_FALSE(has_place_for_anybody(places, 0)) << "it would take no message";
}

}  // namespace
}  // namespace sluice
