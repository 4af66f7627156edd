#include "php/leaks/written_places.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

TEST(WrittenPlaces, AreToldInTheOrderOfWriting) {
    WrittenPlaces places;
    EXPECT_EQ(places.of(1), "");
    places.add(1, "/a.php", 3);
    places.add(2, "/a.php", 4);
    places.add(1, "/b.php", 3);
    EXPECT_EQ(places.of(1), "/a.php:3, /b.php:3");
    EXPECT_EQ(places.of(2), "/a.php:4");
}

TEST(WrittenPlaces, AreToldOnceEach) {
    WrittenPlaces places;
    for (const uint32_t line : {1u, 2u, 1u, 1u, 2u, 1u})
        places.add(1, "/a.php", line);
    EXPECT_EQ(places.of(1), "/a.php:2, /a.php:1");
}

TEST(WrittenPlaces, OnlyTheLastOnesAreKept) {
    WrittenPlaces places;
    for (uint32_t line = 1; line <= 5; ++line)
        places.add(1, "/a.php", line);
    EXPECT_EQ(places.of(1), "/a.php:3, /a.php:4, /a.php:5");
    places.add(1, "/a.php", 4);
    EXPECT_EQ(places.of(1), "/a.php:3, /a.php:5, /a.php:4");
}

TEST(WrittenPlaces, AreKeptOfSoManyThings) {
    WrittenPlaces places;
    for (uint64_t thing = 0; thing <= WrittenPlaces::kMostThings; ++thing)
        places.add(thing, "/a.php", 1);
    EXPECT_EQ(places.of(WrittenPlaces::kMostThings), "");
    places.add(0, "/a.php", 2);
    EXPECT_EQ(places.of(0), "/a.php:1, /a.php:2");
}

TEST(WrittenPlaces, KeepCopiesOfNames) {
    WrittenPlaces places;
    {
        const std::string passing = "/a long name that has memory of its own.php";
        places.add(1, passing, 1);
    }
    EXPECT_EQ(places.of(1), "/a long name that has memory of its own.php:1");
    places.clear();
    EXPECT_EQ(places.of(1), "");
    places.add(1, "/b.php", 1);
    EXPECT_EQ(places.of(1), "/b.php:1");
}

}  // namespace
}  // namespace sluice::php
