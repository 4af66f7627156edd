#include "core/ref.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace sluice {
namespace {

struct Thing : RefCounted {
    explicit Thing(int& gone) : gone_(gone) {}
    ~Thing() override { ++gone_; }
    int& gone_;
};
struct SpecialThing final : Thing {
    using Thing::Thing;
};

TEST(Ref, TheLastOneDestroys) {
    int gone = 0;
    Ref<Thing> first = Ref<Thing>::adopt(new Thing(gone));
    {
        Ref<Thing> second = first;
        EXPECT_EQ(second.get(), first.get());
        first = Ref<Thing>();
        EXPECT_FALSE(first);
        EXPECT_EQ(gone, 0);
    }
    EXPECT_EQ(gone, 1);
}

TEST(Ref, MovesDoNotCount) {
    int gone = 0;
    Ref<Thing> first = Ref<Thing>::adopt(new Thing(gone));
    Ref<Thing> second = std::move(first);
    EXPECT_FALSE(first);
    first = std::move(second);
    EXPECT_TRUE(first);
    Ref<Thing>& same = first;
    first = same;
    EXPECT_EQ(gone, 0);
    first = Ref<Thing>::adopt(new Thing(gone));
    EXPECT_EQ(gone, 1);
    first = {};
    EXPECT_EQ(gone, 2);
}

TEST(Ref, OfADerivedClass) {
    int gone = 0;
    {
        Ref<SpecialThing> special = Ref<SpecialThing>::adopt(new SpecialThing(gone));
        Ref<Thing> thing = special;
        special = {};
        EXPECT_EQ(gone, 0);
        EXPECT_EQ(&thing->gone_, &gone);
    }
    EXPECT_EQ(gone, 1);
}

TEST(Ref, ThreadsShareOne) {
    int gone = 0;
    {
        Ref<Thing> thing = Ref<Thing>::adopt(new Thing(gone));
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i) {
            threads.emplace_back([thing] {
                for (int n = 0; n < 10'000; ++n)
                    Ref<Thing> copy = thing;
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(gone, 0);
    }
    EXPECT_EQ(gone, 1);
}

}  // namespace
}  // namespace sluice
