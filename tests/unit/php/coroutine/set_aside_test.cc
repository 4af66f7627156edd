#include "php/coroutine/set_aside.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

/// Somebody's state, of all sizes that a field may have.
struct Globals {
    bool flag = false;
    int32_t level = 0;
    const char* text = nullptr;
    int64_t line = -1;
    char bytes[7] = {};

    SetAside fields() {
        SetAside set;
        EXPECT_TRUE(set.add(&flag, sizeof flag));
        EXPECT_TRUE(set.add(&level, sizeof level));
        EXPECT_TRUE(set.add(&text, sizeof text));
        EXPECT_TRUE(set.add(&line, sizeof line, SetAside::Rest::kOnes));
        EXPECT_TRUE(set.add(bytes, sizeof bytes));
        return set;
    }
};

TEST(SetAside, SeesEachFieldThatIsInUse) {
    alignas(8) Globals state;
    const SetAside set = state.fields();
    EXPECT_TRUE(set.at_rest());
    state.flag = true;
    EXPECT_FALSE(set.at_rest());
    state.flag = false;
    state.level = 1;
    EXPECT_FALSE(set.at_rest());
    state.level = 0;
    state.text = "";
    EXPECT_FALSE(set.at_rest());
    state.text = nullptr;
    for (const int64_t line : {0, 7}) {
        state.line = line;
        EXPECT_FALSE(set.at_rest());
    }
    state.line = -1;
    for (char& byte : state.bytes) {
        byte = 1;
        EXPECT_FALSE(set.at_rest());
        byte = 0;
    }
    EXPECT_TRUE(set.at_rest());
}

TEST(SetAside, LeavesOutWhatIsReadOnlyWithTheFieldBefore) {
    const char* text = nullptr;
    alignas(8) size_t length = 5;
    SetAside set;
    EXPECT_TRUE(set.add(&text, sizeof text));
    EXPECT_TRUE(set.add(&length, sizeof length, SetAside::Rest::kWithTheOneBefore));
    EXPECT_TRUE(set.at_rest());
    text = "mine";
    EXPECT_FALSE(set.at_rest());
    char kept[SetAside::kMostBytes];
    set.take(kept);
    EXPECT_EQ(length, 0u);
    set.put_back(kept);
    EXPECT_EQ(length, 5u);
}

TEST(SetAside, LeavesRestAndBringsBackWhatWasThere) {
    Globals state;
    const SetAside set = state.fields();
    ASSERT_EQ(set.bytes(), 1u + 4 + 8 + 8 + 7);
    state.flag = true;
    state.level = 3;
    state.text = "mine";
    state.line = 12;
    state.bytes[6] = 'z';
    char kept[SetAside::kMostBytes];
    set.take(kept);
    EXPECT_TRUE(set.at_rest());
    EXPECT_EQ(state.line, -1);

    state.level = 99;
    set.put_back(kept);
    EXPECT_TRUE(state.flag);
    EXPECT_EQ(state.level, 3);
    EXPECT_STREQ(state.text, "mine");
    EXPECT_EQ(state.line, 12);
    EXPECT_EQ(state.bytes[6], 'z');
}

TEST(SetAside, RefusesWhatItHasNoRoomFor) {
    alignas(8) char big[SetAside::kMostBytes] = {};
    SetAside full;
    EXPECT_TRUE(full.add(big, sizeof big));
    EXPECT_FALSE(full.add(big, 1));
    SetAside many;
    for (size_t count = 0; count < SetAside::kMostFields; ++count)
        EXPECT_TRUE(many.add(&big[count], 1));
    EXPECT_FALSE(many.add(big, 1));
    EXPECT_EQ(many.bytes(), SetAside::kMostFields);
}

}  // namespace
}  // namespace sluice::php
