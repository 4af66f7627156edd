#include "php/coroutine/set_aside.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

/// An extension's globals, with fields of all sizes.
struct Globals {
    bool flag = false;
    int32_t level = 0;
    const char* text = nullptr;
    size_t length = 0;
    int64_t line = -1;
    char bytes[7] = {};
};

Globals state;

struct Fields {
    template <typename Visit>
    static constexpr void each(Visit&& visit) {
        visit(state.flag);
        visit(state.level);
        visit(state.text);
        visit(state.length, Rest::kWithTheOneBefore);
        visit(state.line, Rest::kOnes);
        visit(state.bytes);
    }
};
using Set = SetAside<Fields>;

TEST(SetAside, SeesEachFieldThatIsInUse) {
    state = {};
    EXPECT_TRUE(Set::at_rest());
    state.flag = true;
    EXPECT_FALSE(Set::at_rest());
    state.flag = false;
    state.level = 1;
    EXPECT_FALSE(Set::at_rest());
    state.level = 0;
    state.text = "";
    EXPECT_FALSE(Set::at_rest());
    state.text = nullptr;
    for (const int64_t line : {0, 7}) {
        state.line = line;
        EXPECT_FALSE(Set::at_rest());
    }
    state.line = -1;
    for (char& byte : state.bytes) {
        byte = 1;
        EXPECT_FALSE(Set::at_rest());
        byte = 0;
    }
    EXPECT_TRUE(Set::at_rest());
}

TEST(SetAside, LeavesOutWhatIsReadOnlyWithTheFieldBefore) {
    state = {.length = 5};
    EXPECT_TRUE(Set::at_rest());
    state.text = "mine";
    EXPECT_FALSE(Set::at_rest());
    char kept[Set::bytes()];
    Set::take(kept);
    EXPECT_EQ(state.length, 0u);
    Set::put_back(kept);
    EXPECT_EQ(state.length, 5u);
}

TEST(SetAside, LeavesRestAndBringsBackWhatWasThere) {
    state = {};
    static_assert(Set::bytes() == 1 + 4 + 8 + 8 + 8 + 7);
    state.flag = true;
    state.level = 3;
    state.text = "mine";
    state.line = 12;
    state.bytes[6] = 'z';
    char kept[Set::bytes()];
    Set::take(kept);
    EXPECT_TRUE(Set::at_rest());
    EXPECT_EQ(state.line, -1);

    state.level = 99;
    Set::put_back(kept);
    EXPECT_TRUE(state.flag);
    EXPECT_EQ(state.level, 3);
    EXPECT_STREQ(state.text, "mine");
    EXPECT_EQ(state.line, 12);
    EXPECT_EQ(state.bytes[6], 'z');
}

}  // namespace
}  // namespace sluice::php
