#include "shared/named_memories.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice {
namespace {

using Opening = NamedMemories::Result;

TEST(NamedMemories, GivesOneMemoryForOneName) {
    NamedMemories memories;
    const NamedMemories::Opened a = memories.open("a", "a table", 1000);
    ASSERT_EQ(a.result, Opening::kNew);
    EXPECT_EQ(a.memory.size(), 1000u);
    EXPECT_EQ(a.memory[0], 0);
    const NamedMemories::Opened b = memories.open("b", "a table", 1000);
    EXPECT_NE(a.memory.data(), b.memory.data());
    const NamedMemories::Opened again = memories.open("a", "a table", 1000);
    EXPECT_EQ(again.result, Opening::kFound);
    EXPECT_EQ(again.memory.data(), a.memory.data());
    EXPECT_EQ(memories.open("a", "a counter", 8).result, Opening::kOther);
}

TEST(NamedMemories, FindsWhatTheBootBeforeHasLeft) {
    NamedMemories before, after;
    strcpy(before.open("a", "a table", 1000).memory.data(), "kept");
    strcpy(before.open("b", "a table", 1000).memory.data(), "lost");
    for (const auto& [name, fd] : before.opened())
        after.inherit({std::string(name), UniqueFd(dup(fd))});
    EXPECT_TRUE(after.opened().empty()) << "the new script has not asked for the memory yet";
    const NamedMemories::Opened a = after.open("a", "a table", 1000);
    EXPECT_EQ(a.result, Opening::kFound);
    EXPECT_STREQ(a.memory.data(), "kept");
    const NamedMemories::Opened b = after.open("b", "a larger table", 2000);
    EXPECT_EQ(b.result, Opening::kNew);
    EXPECT_TRUE(b.reshaped);
    EXPECT_EQ(b.memory[0], 0);
    EXPECT_EQ(b.memory.size(), 2000u);
    EXPECT_EQ(after.opened().size(), 2u);
}

TEST(NamedMemories, AnotherProcessSeesShapeAndContent) {
    NamedMemories memories;
    strcpy(memories.open("a", "a table of 1000 bytes", 1000).memory.data(), "content");
    const SharedMemory same = SharedMemory::attach(UniqueFd(dup(memories.opened().at(0).fd)));
    const NamedMemories::Seen seen = NamedMemories::look(same);
    EXPECT_EQ(seen.shape, "a table of 1000 bytes");
    ASSERT_EQ(seen.content.size(), 1000u);
    EXPECT_STREQ(seen.content.data(), "content");
}

TEST(NamedMemories, OpensNothingNewOnceSealed) {
    NamedMemories memories;
    memories.open("a", "a table", 1000);
    memories.seal();
    EXPECT_EQ(memories.open("b", "a table", 1000).result, Opening::kTooLate);
    EXPECT_EQ(memories.open("a", "a table", 1000).result, Opening::kFound);
    EXPECT_EQ(memories.opened().at(0).fd, -1);
}

TEST(NamedMemories, MemoriesOfSluiceDoNotCountAmongThoseOfTheApplication) {
    NamedMemories memories;
    memories.open("/own", "x", 8);
    for (size_t i = 0; i < NamedMemories::kMost; ++i)
        ASSERT_EQ(memories.open(std::to_string(i), "x", 8).result, Opening::kNew);
    EXPECT_EQ(memories.open("more", "x", 8).result, Opening::kTooMany);
    memories.forget("/own");
    EXPECT_EQ(memories.opened().size(), 1u);
    EXPECT_EQ(memories.open("/own", "x", 8).result, Opening::kFound);
}

TEST(NamedMemories, AreBoundedInNumber) {
    NamedMemories memories;
    for (size_t i = 0; i < NamedMemories::kMost; ++i)
        ASSERT_EQ(memories.open(std::to_string(i), "x", 8).result, Opening::kNew);
    EXPECT_EQ(memories.open("more", "x", 8).result, Opening::kTooMany);
    memories.forget();
    EXPECT_EQ(memories.open("more", "x", 8).result, Opening::kNew);
}

}  // namespace
}  // namespace sluice
