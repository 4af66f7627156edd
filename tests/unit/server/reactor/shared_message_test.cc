#include "server/reactor/shared_message.h"

#include <gtest/gtest.h>
#include <string>

#include "server/reactor/compression.h"

namespace sluice {
namespace {

std::string bytes(const Ref<Payload>& payload) {
    return {payload->data(), payload->size()};
}

const std::string kText(1000, 'x');

TEST(SharedMessage, IsFramedOnce) {
    Ref<SharedMessage> message = SharedMessage::create(websocket::Opcode::kBinary, "hello");
    EXPECT_EQ(bytes(message->plain_frame()), "\x82\x05hello");
    EXPECT_EQ(message->body_bytes(), 5u);
    EXPECT_EQ(message->plain_frame().get(), message->plain_frame().get());
    EXPECT_EQ(bytes(SharedMessage::create(websocket::Opcode::kText, "")->plain_frame()),
              std::string("\x81\0", 2));
}

TEST(SharedMessage, IsCompressedOnceForAllWithTheSameParameters) {
    CompressionContexts contexts(64 << 20), of_another_reactor(64 << 20);
    Ref<SharedMessage> message = SharedMessage::create(websocket::Opcode::kText, kText);
    const Ref<Payload> frame = message->compressed_frame(15, 1, contexts);
    ASSERT_TRUE(frame);
    EXPECT_EQ(message->compressed_frame(15, 1, contexts).get(), frame.get());
    EXPECT_EQ(message->compressed_frame(15, 1, of_another_reactor).get(), frame.get());
    EXPECT_EQ(of_another_reactor.used_bytes(), 0u);
    EXPECT_NE(message->compressed_frame(10, 1, contexts).get(), frame.get());
    EXPECT_NE(message->compressed_frame(15, 9, contexts).get(), frame.get());
}

TEST(SharedMessage, TheCompressedFrameSaysSoAndInflatesToTheBody) {
    CompressionContexts contexts(64 << 20);
    Ref<SharedMessage> message = SharedMessage::create(websocket::Opcode::kText, kText);
    std::string frame = bytes(message->compressed_frame(15, 1, contexts));
    ASSERT_GT(frame.size(), 2u);
    EXPECT_EQ(static_cast<uint8_t>(frame[0]), 0xc1);
    EXPECT_EQ(static_cast<uint8_t>(frame[1]), frame.size() - 2);
    frame += websocket::kMessageTail;
    std::string_view input = std::string_view(frame).substr(2);
    websocket::Inflater inflater(15);
    std::string out(2000, '\0');
    out.resize(inflater.inflate(input, out).value_or(0));
    EXPECT_EQ(out, kText);
}

TEST(SharedMessage, IsWrittenOnceAsAnEvent) {
    Ref<SharedMessage> message = SharedMessage::create(websocket::Opcode::kText, "two\r\nlines");
    EXPECT_EQ(bytes(message->event()), "data: two\ndata: lines\n\n");
    EXPECT_EQ(message->event().get(), message->event().get());
    EXPECT_EQ(bytes(SharedMessage::create(websocket::Opcode::kText, "")->event()), "data: \n\n");
    EXPECT_FALSE(SharedMessage::create(websocket::Opcode::kBinary, "hello")->event());
}

TEST(SharedMessage, WhatDoesNotBecomeSmallerHasNoCompressedFrame) {
    CompressionContexts contexts(64 << 20);
    Ref<SharedMessage> message = SharedMessage::create(websocket::Opcode::kText, "short");
    EXPECT_FALSE(message->compressed_frame(15, 1, contexts));
    EXPECT_FALSE(message->compressed_frame(15, 1, contexts));
}

}  // namespace
}  // namespace sluice
