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
    ASSERT_TRUE(room.grow(transport, kSlotThreshold - 1, 0));
    EXPECT_EQ(room.room().size, kSlotThreshold - 1);
    EXPECT_FALSE(room.deliverable());
    EXPECT_EQ(transport.used_bytes(), 0u);
    room.reset(transport);
    EXPECT_FALSE(room.room());
}

TEST(MessageRoom, GrowingKeepsWhatIsThere) {
    FakeTransport transport;
    MessageRoom room;
    const std::string text = "0123456789";
    ASSERT_TRUE(room.grow(transport, 10, 0));
    memcpy(room.room().data, text.data(), 10);
    for (size_t bytes : {size_t{100}, kSlotThreshold, kSlotThreshold * 2}) {
        ASSERT_TRUE(room.grow(transport, bytes, 10));
        EXPECT_GE(room.room().size, bytes);
        EXPECT_EQ(std::string(room.room().data, 10), text);
    }
    EXPECT_TRUE(room.deliverable());
    EXPECT_EQ(transport.rooms(), 1u) << "the smaller ones are given back";
    room.reset(transport);
    EXPECT_EQ(transport.rooms(), 0u);
    room.reset(transport);
}

TEST(MessageRoom, WhenMemoryIsShortItIsAsBefore) {
    FakeTransport transport;
    MessageRoom room;
    ASSERT_TRUE(room.grow(transport, 3, 0));
    memcpy(room.room().data, "abc", 3);
    transport.room_limit = 0;
    EXPECT_FALSE(room.grow(transport, kSlotThreshold, 3));
    EXPECT_EQ(room.room().size, 3u);
    EXPECT_EQ(std::string(room.room().data, 3), "abc");
    room.reset(transport);
}

TEST(MessageRoom, WhatWasDeliveredIsNotFreed) {
    FakeTransport transport;
    MessageRoom room;
    ASSERT_TRUE(room.grow(transport, kSlotThreshold, 0));
    const Room delivered = room.deliverable();
    room.forget();
    room.reset(transport);
    EXPECT_EQ(transport.rooms(), 1u);
    transport.free(delivered);
}

}  // namespace
}  // namespace sluice
