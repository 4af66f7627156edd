#include "php/worker/garbage_pace.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr size_t kMiB = size_t{1} << 20;

TEST(GarbagePace, TheFirstLookIsAllowed) {
    EXPECT_TRUE(GarbagePace().may_collect(0, 100 * kMiB, 0));
}

TEST(GarbagePace, ALongLookIsNotRepeatedSoon) {
    GarbagePace pace;
    pace.collected(100 * kMs, 120 * kMs, 50 * kMiB);
    EXPECT_FALSE(pace.may_collect(121 * kMs, 50 * kMiB, 0));
    EXPECT_FALSE(pace.may_collect(499 * kMs, 60 * kMiB, 0));
    EXPECT_TRUE(pace.may_collect(500 * kMs, 50 * kMiB, 0));
}

TEST(GarbagePace, AShortLookMayBeRepeated) {
    GarbagePace pace;
    pace.collected(100 * kMs, 100 * kMs, 50 * kMiB);
    EXPECT_TRUE(pace.may_collect(100 * kMs, 50 * kMiB, 0));
}

TEST(GarbagePace, GrowingMemoryDoesNotWait) {
    GarbagePace pace;
    pace.collected(100 * kMs, 200 * kMs, 50 * kMiB);
    EXPECT_FALSE(pace.may_collect(201 * kMs, 66 * kMiB, 0));
    EXPECT_TRUE(pace.may_collect(201 * kMs, 66 * kMiB + 1, 0));
    EXPECT_FALSE(pace.may_collect(201 * kMs, 60 * kMiB, 120 * kMiB));
    EXPECT_TRUE(pace.may_collect(201 * kMs, 61 * kMiB, 120 * kMiB));
}

}  // namespace
}  // namespace sluice::php
