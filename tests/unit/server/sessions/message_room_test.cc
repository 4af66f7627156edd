#include "server/sessions/message_room.h"

#include <gtest/gtest.h>
#include <string>

#include "fake_transport.h"

namespace sluice {
namespace {

using test::FakeTransport;

TEST(MessageRoom, SmallIsOfTheHeapAndNotDeliverable) {
    FakeTransport transport;
    MessageRoom room;
    ASSERT_TRUE(room.grow(transport, {0, kExtentThreshold - 1, 0, kExtentThreshold - 1}));
    EXPECT_EQ(room.room().size, kExtentThreshold - 1);
    EXPECT_FALSE(room.deliverable());
    EXPECT_EQ(transport.used_bytes(), 0u);
    room.reset(transport);
    EXPECT_FALSE(room.room());
}

TEST(MessageRoom, GrowingKeepsWhatIsThere) {
    FakeTransport transport;
    MessageRoom room;
    const std::string text = "0123456789";
    ASSERT_TRUE(room.grow(transport, {0, 10, 0, 10}));
    memcpy(room.room().data, text.data(), 10);
    for (size_t bytes : {size_t{100}, kExtentThreshold, kExtentThreshold * 2}) {
        ASSERT_TRUE(room.grow(transport, {0, bytes, 10, bytes}));
        EXPECT_GE(room.room().size, bytes);
        EXPECT_EQ(std::string(room.room().data, 10), text);
    }
    EXPECT_TRUE(room.deliverable());
    EXPECT_EQ(transport.rooms(), 1u) << "the smaller rooms are given back";
    room.reset(transport);
    EXPECT_EQ(transport.rooms(), 0u);
    room.reset(transport);
}

TEST(MessageRoom, WhenMemoryIsShortItIsAsBefore) {
    FakeTransport transport;
    MessageRoom room;
    ASSERT_TRUE(room.grow(transport, {0, 3, 0, 3}));
    memcpy(room.room().data, "abc", 3);
    transport.room_limit = 0;
    EXPECT_FALSE(room.grow(transport, {0, kExtentThreshold, 3, kExtentThreshold}));
    EXPECT_EQ(room.room().size, 3u);
    EXPECT_EQ(std::string(room.room().data, 3), "abc");
    room.reset(transport);
}

TEST(MessageRoom, WhatWasDeliveredIsNotFreed) {
    FakeTransport transport;
    MessageRoom room;
    ASSERT_TRUE(room.grow(transport, {0, kExtentThreshold, 0, kExtentThreshold}));
    const Room delivered = room.deliverable();
    room.forget();
    room.reset(transport);
    EXPECT_EQ(transport.rooms(), 1u);
    transport.free(delivered);
}

TEST(MessageRoom, ItGrowsWithWhatHasComeAndNotWithWhatIsAnnounced) {
    FakeTransport transport;
    MessageRoom room;
    constexpr size_t kWhole = (4u << 20) + 1;
    ASSERT_TRUE(room.grow(transport, {0, kWhole, 0, 1}));
    EXPECT_EQ(room.room().size, 1024u);
    EXPECT_EQ(transport.used_bytes(), 0u);
    size_t copied = 0, rooms = 1;
    for (size_t filled = room.room().size; room.room().size < kWhole; filled = room.room().size, ++rooms) {
        ASSERT_TRUE(room.grow(transport, {0, kWhole, filled, 0}));
        EXPECT_LE(room.room().size, 64 * filled);
        copied += filled;
    }
    EXPECT_LE(copied, kWhole / 7);
    EXPECT_LE(rooms, 6u);
    room.reset(transport);
}

TEST(MessageRoom, WhoHasSentLongMessagesBeginsWithMore) {
    FakeTransport transport;
    MessageRoom room;
    ASSERT_TRUE(room.grow(transport, {0, 1u << 20, 0, 1, true}));
    EXPECT_EQ(room.room().size, 65536u);
    room.reset(transport);
    ASSERT_TRUE(room.grow(transport, {0, 40'000, 0, 1, true}));
    EXPECT_EQ(room.room().size, 40'000u);
    room.reset(transport);
}

}  // namespace
}  // namespace sluice
