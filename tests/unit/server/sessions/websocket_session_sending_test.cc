#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

#include "protocol/websocket/websocket_frame.h"
#include "server/sessions/websocket_session.h"
#include "websocket_driver.h"

namespace sluice {
namespace {

using test::Client;
using test::close_payload;
using test::kUpgrade;
using test::masked;
using test::plain;
using websocket::Opcode;

using WebSocketSendingTest = test::WebSocketTest;

TEST_F(WebSocketSendingTest, OverTheLimitOfTheQueueMessagesAreDropped) {
    limits_.sending.queued_bytes = 100'000;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(10'000, 'x');
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < 50; ++i)
            transport_.order(0, for_connection(id, command::Send{}, body));
        settle();
    }
    // 20 MB were sent; the bytes that wait are bounded, but for what was promised before.
    const uint64_t queued = layout_.connection(id).queued_bytes;
    EXPECT_GT(queued, 50'000u);
    EXPECT_LT(queued, 100'000u + 65'536u + 2 * body.size());
    const std::string frame = plain(Opcode::kText, body);
    size_t frames = 0;
    until([&] {
        for (; client.received().size() >= frame.size(); ++frames)
            EXPECT_TRUE(client.take(frame.size()) == frame) << "a frame is cut";
        return layout_.connection(id).queued_bytes == 0;
    });
    settle();
    for (; client.received().size() >= frame.size(); ++frames)
        EXPECT_TRUE(client.take(frame.size()) == frame);
    EXPECT_EQ(client.take(), "");
    EXPECT_GT(frames, 5u);
    EXPECT_LT(frames, 2000u);
    transport_.order(0, for_connection(id, command::Send{}, "and on"));
    expect_received(client, plain(Opcode::kText, "and on"));
}

TEST_F(WebSocketSendingTest, AMessageLongerThanTheQueueIsSentWhenItIsAlone) {
    limits_.sending.queued_bytes = 65'536;
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    const std::string body(5'000'000, 'x');
    transport_.order(0, for_connection(id, command::Send{}, body), true);
    expect_received(client, plain(Opcode::kText, body));
}

TEST_F(WebSocketSendingTest, AClientThatOnlyPingsCannotFillMemory) {
    limits_.sending.queued_bytes = 65'536;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    std::string pings;
    for (int i = 0; i < 500; ++i)
        pings += masked(Opcode::kPing, std::string(125, 'p'));
    uint64_t most = 0;
    for (int i = 0; i < 200; ++i) {
        send(client, pings);
        most = std::max<uint64_t>(most, layout_.connection(id).queued_bytes);
    }
    EXPECT_LT(most, 400'000u);
    EXPECT_TRUE(is_open(id));
}

TEST_F(WebSocketSendingTest, PublishedMessagesReachSubscribers) {
    start();
    Client a(address_), b(address_), c(address_);
    const ConnectionId id_a = upgrade(a), id_b = upgrade(b);
    upgrade(c);
    subscribe(id_a, "news");
    subscribe(id_b, "news");
    const std::string big(5000, 'x');  // all subscribers share this payload
    publish("news", "small");
    publish("news", big);
    publish("news", "not to a", id_a);
    publish("nobody", "lost");
    transport_.order(0, for_connection(id_b, command::Unsubscribe{"news"}));
    publish("news", "to a alone");
    expect_received(
        a, plain(Opcode::kText, "small") + plain(Opcode::kText, big) + plain(Opcode::kText, "to a alone"));
    expect_received(
        b, plain(Opcode::kText, "small") + plain(Opcode::kText, big) + plain(Opcode::kText, "not to a"));
    settle();
    EXPECT_EQ(b.take(), "");
    EXPECT_EQ(c.take(), "");
}

TEST_F(WebSocketSendingTest, OfAClientThatIsBehindTheOldestMessagesMakeRoom) {
    limits_.sending.queued_bytes = 200'000;
    slow_client_ = SlowClient::kDropOldest;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const auto body = [](int number) { return std::to_string(100'000 + number) + std::string(9'994, 'x'); };
    subscribe(id, "news");
    for (int number = 0; number < 2000; ++number) {
        if (number % 2) {
            transport_.order(0, for_connection(id, command::Send{}, body(number)));
        } else {
            publish("news", body(number));
        }
        if (number % 50 == 0) settle();
    }
    settle();
    EXPECT_LE(layout_.connection(id).queued_bytes, 200'000u + 70'000u);
    transport_.order(0, for_connection(id, command::Send{}, "last"));
    std::string received;
    const std::string last = plain(Opcode::kText, "last");
    ASSERT_TRUE(until([&] {
        received += client.take();
        return received.ends_with(last);
    }));
    const size_t frame_bytes = plain(Opcode::kText, body(0)).size();
    received.resize(received.size() - last.size());
    ASSERT_EQ(received.size() % frame_bytes, 0u);
    std::vector<int> numbers;
    for (size_t at = 0; at < received.size(); at += frame_bytes) {
        const std::string frame = received.substr(at, frame_bytes);
        numbers.push_back(std::stoi(frame.substr(frame_bytes - 10'000, 6)) - 100'000);
        ASSERT_EQ(frame, plain(Opcode::kText, body(numbers.back())));
    }
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    EXPECT_EQ(numbers.front(), 0);
    EXPECT_EQ(numbers.back(), 1999);
    EXPECT_LT(numbers.size(), 1500u) << "no message was dropped";
    for (size_t back = 1; back <= 10; ++back)
        EXPECT_EQ(numbers[numbers.size() - back], 2000 - static_cast<int>(back))
            << "one of the newest messages was dropped";
}

TEST_F(WebSocketSendingTest, WhatIsHeldBackGoesOutBeforeTheClose) {
    slow_client_ = SlowClient::kDropOldest;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(60'000, 'x');
    std::string expected;
    for (int i = 0; i < 100; ++i) {
        transport_.order(0, for_connection(id, command::Send{}, body));
        expected += plain(Opcode::kText, body);
    }
    transport_.order(0, for_connection(id, command::Close{1000}, "bye"));
    expect_received(client, expected + plain(Opcode::kClose, close_payload(1000, "bye")));
}

TEST_F(WebSocketSendingTest, AClientThatIsBehindIsClosedWith1013) {
    limits_.sending.queued_bytes = 100'000;
    slow_client_ = SlowClient::kClose;
    start();
    Client client(address_, 4096), reader(address_);
    const ConnectionId id = upgrade(client), other = upgrade(reader);
    subscribe(id, "news");
    subscribe(other, "news");
    const std::string body(50'000, 'x');
    int published = 0;
    ASSERT_TRUE(until([&] {
        publish("news", body);
        ++published;
        reader.received();
        return !is_open(id);
    }));
    publish("news", "and on");
    std::string expected;
    for (int i = 0; i < published; ++i)
        expected += plain(Opcode::kText, body);
    expect_received(reader, expected + plain(Opcode::kText, "and on"));
    const std::string close = plain(Opcode::kClose, close_payload(1013, "the client does not read"));
    std::string received;
    ASSERT_TRUE(until([&] {
        received += client.take();
        return received.ends_with(close);
    }));
    received.resize(received.size() - close.size());
    EXPECT_TRUE(expected.starts_with(received));
    send(client, masked(Opcode::kClose, close_payload(1013, "")));
    expect_close({1013});
}

TEST_F(WebSocketSendingTest, QuestionsAreAnswered) {
    protocols_.websocket.subscriptions = 3;
    start();
    Client client(address_), other(address_);
    const ConnectionId id = upgrade(client), id_other = upgrade(other);
    subscribe(id, "room/1");
    transport_.order(0, for_connection(id, command::Subscribe{"room/", true}));
    subscribe(id_other, "room/1");
    subscribe(id, "third");
    subscribe(id, "one too many");
    const auto ask = [&](const Command::What& question, ConnectionId about, uint32_t number) {
        transport_.order(0, for_connection(about, question));
        EXPECT_TRUE(until([&] { return !transport_.notified.empty(); }));
        auto answer = transport_.notified.front();
        transport_.notified.pop_front();
        EXPECT_EQ(answer.kind, InboundKind::kAnswer);
        EXPECT_EQ(answer.question, number);
        return answer.payload;
    };
    const auto count = [&](std::string_view topic, uint32_t number) {
        uint64_t subscribers = 0;
        const std::string payload = ask(command::CountSubscribers{number, topic}, kNoConnection, number);
        EXPECT_EQ(payload.size(), sizeof subscribers);
        memcpy(&subscribers, payload.data(), std::min(payload.size(), sizeof subscribers));
        return subscribers;
    };
    EXPECT_EQ(count("room/1", 1), 2u);
    EXPECT_EQ(count("room/2", 2), 1u);
    EXPECT_EQ(count("one too many", 3), 0u) << "a subscription over the limit is refused";
    EXPECT_EQ(layout_.connection(id).subscriptions, 3u);
    EXPECT_EQ(ask(command::ListTopics{4}, id_other, 4), std::string("\0\6room/1", 8));
    EXPECT_EQ(ask(command::ListTopics{5}, id + 1000, 5), "")
        << "a connection that does not exist has no topics";
    EXPECT_EQ(ask(command::AwaitRoom{6, 0}, id, 6), "") << "a connection with an empty queue has room";
    EXPECT_EQ(ask(command::AwaitRoom{7, 0}, id + 1000, 7), "") << "a connection that has gone has room";
}

TEST_F(WebSocketSendingTest, WhoWaitsForRoomIsToldWhenTheClientReads) {
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(1'000'000, 'x');
    for (int i = 0; i < 10; ++i)
        transport_.order(0, for_connection(id, command::Send{}, body));
    const uint64_t most = 1'000'000;
    transport_.order(0, for_connection(id, command::AwaitRoom{9, most}));
    settle();
    ASSERT_GT(layout_.connection(id).queued_bytes, most);
    EXPECT_TRUE(transport_.notified.empty());
    ASSERT_TRUE(until([&] {
        client.take();
        return !transport_.notified.empty();
    }));
    EXPECT_LE(layout_.connection(id).queued_bytes, most);
    EXPECT_EQ(transport_.notified[0].question, 9u);
}

TEST_F(WebSocketSendingTest, WhoWaitsForRoomIsToldWhenTheClientLeaves) {
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(1'000'000, 'x');
    for (int i = 0; i < 10; ++i)
        transport_.order(0, for_connection(id, command::Send{}, body));
    transport_.order(0, for_connection(id, command::AwaitRoom{1, 0}));
    settle();
    EXPECT_TRUE(transport_.notified.empty());
    client.reset();
    EXPECT_TRUE(until([&] { return !transport_.notified.empty(); }));
    expect_close({1006});
}

TEST_F(WebSocketSendingTest, WhoIsGoneIsNoSubscriberAnyMore) {
    start();
    Client a(address_), b(address_);
    const ConnectionId id_a = upgrade(a), id_b = upgrade(b);
    subscribe(id_a, "news");
    subscribe(id_b, "news");
    a.reset();
    expect_close({1006});
    publish("news", "hello");
    expect_received(b, plain(Opcode::kText, "hello"));
}

TEST_F(WebSocketSendingTest, OneMessageToMany) {
    start();
    Client a(address_), b(address_), c(address_);
    upgrade(c);
    const ConnectionId ids[] = {upgrade(a), make_connection_id(0, 1), upgrade(b)};
    transport_.order(0, {.what = command::SendMany{ids}, .payload = "to two"});
    transport_.order(0, {.what = command::SendMany{{ids, 1}}, .payload = "to one"});
    expect_received(a, plain(Opcode::kText, "to two") + plain(Opcode::kText, "to one"));
    expect_received(b, plain(Opcode::kText, "to two"));
    settle();
    EXPECT_EQ(b.take() + c.take(), "");
}

TEST_F(WebSocketSendingTest, ThePingOfAWorker) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    transport_.order(0, for_connection(id, command::Ping{}, "are you there"));
    transport_.order(
        0, for_connection(id, command::Ping{}, std::string(126, 'x')));  // a ping may have 125 bytes
    expect_received(client, plain(Opcode::kPing, "are you there"));
    send(client, masked(Opcode::kPong, "yes"));
    settle();
    EXPECT_EQ(client.take(), "");
    EXPECT_FALSE(client.ended());
}

}  // namespace
}  // namespace sluice
