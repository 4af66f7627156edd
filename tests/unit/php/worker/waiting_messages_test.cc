#include "php/worker/waiting_messages.h"

#include <gtest/gtest.h>

namespace sluice::php {
namespace {

Inbound message_of(ConnectionId connection, uint32_t request) {
    return {.what = inbound::Request{request}, .connection = connection};
}

uint32_t request_of(const Inbound& message) {
    return message.as<inbound::Request>()->number;
}

TEST(WaitingMessages, NothingWaitsForAConnectionWhoseHandlerDoesNot) {
    WaitingMessages waiting;
    EXPECT_EQ(waiting.add(message_of(1, 1)), nullptr);
    waiting.begin(1);
    EXPECT_EQ(waiting.add(message_of(2, 1)), nullptr);
    EXPECT_EQ(waiting.size(), 0u);
}

TEST(WaitingMessages, OfEachConnectionTheyComeInOrder) {
    WaitingMessages waiting;
    waiting.begin(1);
    waiting.begin(2);
    for (const uint32_t request : {1u, 2u, 3u}) {
        ASSERT_NE(waiting.add(message_of(1, request)), nullptr);
        ASSERT_NE(waiting.add(message_of(2, 10 + request)), nullptr);
    }
    EXPECT_EQ(waiting.size(), 6u);
    Inbound message;
    for (const uint32_t request : {1u, 2u, 3u}) {
        ASSERT_TRUE(waiting.take(1, message));
        EXPECT_EQ(request_of(message), request);
    }
    EXPECT_EQ(waiting.size(), 3u);
    ASSERT_TRUE(waiting.take(2, message));
    EXPECT_EQ(request_of(message), 11u);
}

TEST(WaitingMessages, WhatStandsThereStaysWhereItIs) {
    WaitingMessages waiting;
    waiting.begin(1);
    Inbound* const first = waiting.add(message_of(1, 1));
    for (uint32_t request = 2; request < 1000; ++request)
        waiting.add(message_of(1, request));
    EXPECT_EQ(request_of(*first), 1u);
}

TEST(WaitingMessages, TheConnectionWaitsUntilNothingIsLeft) {
    WaitingMessages waiting;
    waiting.begin(1);
    waiting.add(message_of(1, 1));
    Inbound message;
    EXPECT_TRUE(waiting.take(1, message));
    EXPECT_NE(waiting.add(message_of(1, 2)), nullptr);
    EXPECT_TRUE(waiting.take(1, message));
    EXPECT_FALSE(waiting.take(1, message));
    EXPECT_EQ(waiting.add(message_of(1, 3)), nullptr);
}

}  // namespace
}  // namespace sluice::php
