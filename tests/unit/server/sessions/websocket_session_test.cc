#include "server/sessions/websocket_session.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

#include "protocol/websocket/websocket_frame.h"
#include "protocol/websocket/websocket_handshake.h"
#include "protocol/websocket/websocket_mask.h"
#include "reactor_driver.h"

namespace sluice {
namespace {

using test::Client;
using websocket::Opcode;

constexpr std::string_view kUpgrade =
    "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
    "13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A frame of a client.
std::string masked(Opcode opcode, std::string payload, bool fin = true) {
    const websocket::MaskKey key{1, 2, 3, 4};
    char header[websocket::kMaxFrameHeaderBytes];
    const size_t size = websocket::write_masked_frame_header(header, opcode, fin, payload.size(), key);
    websocket::unmask(payload.data(), payload.size(), key);
    return std::string(header, size) + payload;
}
/// A frame of the server.
std::string plain(Opcode opcode, std::string_view payload) {
    char header[websocket::kMaxFrameHeaderBytes];
    const size_t size = websocket::write_frame_header(header, opcode, true, payload.size());
    return std::string(header, size) + std::string(payload);
}
std::string close_payload(uint16_t code, std::string_view reason) {
    char payload[websocket::kMaxControlPayloadBytes];
    return {payload, websocket::write_close_payload(payload, code, reason)};
}

class WebSocketSessionTest : public test::ReactorTest {
  protected:
    ConnectionId upgrade(Client& client, std::string_view behind = {}) {
        send(client, std::string(kUpgrade) + std::string(behind));
        const auto open = next();
        EXPECT_EQ(open.kind, InboundKind::kOpen);
        EXPECT_EQ(open.endpoint, 1) << "the route, not the listener";
        finish(open);
        EXPECT_TRUE(until([&] { return client.received().find("\r\n\r\n") != std::string::npos; }));
        const std::string head = client.take(client.received().find("\r\n\r\n") + 4);
        EXPECT_EQ(head.substr(0, 12), "HTTP/1.1 101");
        EXPECT_NE(head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos);
        return open.connection;
    }
    void subscribe(ConnectionId id, std::string_view topic) {
        Command command = for_connection(id, CommandKind::kSubscribe);
        command.head = topic;
        transport_.order(0, command);
    }
    void publish(std::string_view topic, std::string_view body, ConnectionId except = kNoConnection) {
        Command command = for_connection(except, CommandKind::kPublish, body);
        command.head = topic;
        transport_.order(0, command);
    }
    void expect_close(std::initializer_list<uint16_t> codes, std::string_view reason = {}) {
        auto message = next();
        while (message.kind == InboundKind::kMessage) {
            finish(message);
            message = next();
        }
        EXPECT_EQ(message.kind, InboundKind::kClose);
        EXPECT_NE(std::find(codes.begin(), codes.end(), message.close_code), codes.end())
            << message.close_code;
        if (!reason.empty()) {
            EXPECT_EQ(message.payload, reason);
        }
        finish(message);
    }
};

TEST_F(WebSocketSessionTest, MessagesGoBothWays) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    EXPECT_TRUE(is_open(id));
    EXPECT_EQ(transport_.bound[0], 1);
    send(client, masked(Opcode::kText, "hello"));
    auto message = next();
    EXPECT_EQ(message.kind, InboundKind::kMessage);
    EXPECT_EQ(message.connection, id);
    EXPECT_EQ(message.endpoint, 1);
    EXPECT_EQ(message.payload, "hello");
    EXPECT_FALSE(message.binary);
    finish(message);
    send(client, masked(Opcode::kBinary, "\1\2"));
    EXPECT_TRUE(next().binary);
    transport_.order(0, for_connection(id, CommandKind::kSend, "world"));
    Command binary = for_connection(id, CommandKind::kSend, "bytes");
    binary.binary = true;
    transport_.order(0, binary, true);
    expect_received(client, plain(Opcode::kText, "world") + plain(Opcode::kBinary, "bytes"));
}

TEST_F(WebSocketSessionTest, WhatFollowsTheUpgradeAtOnceIsHeard) {
    start();
    Client client(address_);
    upgrade(client, masked(Opcode::kText, "first") + masked(Opcode::kText, "second"));
    EXPECT_EQ(next().payload, "first");
    EXPECT_EQ(next().payload, "second");
}

TEST_F(WebSocketSessionTest, BigMessagesGoToSlots) {
    start();
    Client client(address_);
    upgrade(client);
    for (size_t size :
         {kSlotThreshold - 1, kSlotThreshold, size_t{40'000}, size_t{70'000}, size_t{1'000'000}}) {
        std::string payload(size, '\0');
        for (size_t i = 0; i < size; ++i)
            payload[i] = static_cast<char>(i * 31 + i / 253);
        send(client, masked(Opcode::kBinary, payload));
        const auto message = next();
        EXPECT_TRUE(message.payload == payload) << size;
        EXPECT_EQ(message.in_slot, size >= kSlotThreshold) << size;
        finish(message);
    }
    EXPECT_EQ(transport_.rooms(), 0u);
}

TEST_F(WebSocketSessionTest, FragmentsAreOneMessage) {
    start();
    Client client(address_);
    upgrade(client);
    send(client, masked(Opcode::kText, std::string(6000, 'a'), false) + masked(Opcode::kPing, "p") +
                     masked(Opcode::kContinuation, std::string(6000, 'b')));
    EXPECT_TRUE(next().payload == std::string(6000, 'a') + std::string(6000, 'b'));
    expect_received(client, plain(Opcode::kPong, "p"));
}

TEST_F(WebSocketSessionTest, WithoutRoomItWaitsAndGoesOn) {
    start();
    Client client(address_);
    upgrade(client);
    transport_.room_limit = 0;
    send(client, masked(Opcode::kText, std::string(100'000, 'x')).substr(0, 60'000));
    EXPECT_TRUE(nothing_comes());
    transport_.room_limit = 1;
    send(client,
         masked(Opcode::kText, std::string(100'000, 'x')).substr(60'000) + masked(Opcode::kText, "after"));
    EXPECT_TRUE(next().payload == std::string(100'000, 'x'));
    EXPECT_EQ(next().payload, "after");
}

TEST_F(WebSocketSessionTest, WithoutAWorkerMessagesWaitInOrder) {
    start();
    Client client(address_);
    upgrade(client);
    transport_.accepting = false;
    std::string all;
    for (int i = 0; i < 50; ++i)
        all += masked(Opcode::kText, std::to_string(i) + std::string(i % 3 ? 10 : 10'000, 'x'));
    send(client, all.substr(0, 20'000));
    EXPECT_TRUE(nothing_comes());
    transport_.accepting = true;
    send(client, all.substr(20'000));
    for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(next().payload, std::to_string(i) + std::string(i % 3 ? 10 : 10'000, 'x'));
        if (i % 7 == 0) {
            transport_.accepting = false;
            settle();
            transport_.accepting = true;
        }
    }
}

// -- The end

TEST_F(WebSocketSessionTest, TheClientCloses) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    send(client, masked(Opcode::kClose, close_payload(4001, "done")));
    expect_received(client, plain(Opcode::kClose, close_payload(4001, "")));
    EXPECT_TRUE(ends(client));
    EXPECT_FALSE(is_open(id));
    client.shut();
    expect_close({4001}, "done");
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, TheWorkerCloses) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    transport_.order(0, for_connection(id, CommandKind::kSend, "last"));
    transport_.order(0, for_connection(id, CommandKind::kClose, "bye", 1000));
    transport_.order(0, for_connection(id, CommandKind::kSend, "too late"));
    transport_.order(0, for_connection(id, CommandKind::kClose, "again", 1001));
    expect_received(client, plain(Opcode::kText, "last") + plain(Opcode::kClose, close_payload(1000, "bye")));
    EXPECT_FALSE(is_open(id)) << "for workers it is closed already";
    send(client, masked(Opcode::kText, "not heard any more"));
    EXPECT_TRUE(nothing_comes());
    send(client, masked(Opcode::kClose, close_payload(1000, "")));
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(), "");
    client.shut();
    expect_close({1000});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, AClientThatDoesNotAnswerTheCloseIsClosed) {
    limits_.close_ms = 30;
    start();
    Client client(address_);
    transport_.order(0, for_connection(upgrade(client), CommandKind::kClose, "", 1000));
    EXPECT_TRUE(ends(client));
    client.shut();
    expect_close({1006});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, AClientThatVanishesIsReported) {
    start();
    Client polite(address_), rude(address_);
    upgrade(polite);
    upgrade(rude);
    polite.shut();
    expect_close({1006});
    rude.reset();
    expect_close({1006});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, CloseComesAfterTheLastMessageIsFinished) {
    start();
    transport_.add_worker();
    Client client(address_);
    upgrade(client);
    send(client, masked(Opcode::kText, "hello"));
    const auto message = next();
    client.reset();
    const auto close = next();
    EXPECT_EQ(close.kind, InboundKind::kClose);
    EXPECT_EQ(close.worker, message.worker);
    settle();
    EXPECT_FALSE(reactor_->is_empty()) << "its messages are not finished";
    finish(message);
    finish(close);
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, AWrongFrameEndsIt) {
    start();
    struct {
        std::string bytes;
        uint16_t code;
    } wrong[] = {{plain(Opcode::kText, "not masked"), 1002},
                 {masked(static_cast<Opcode>(5), "reserved"), 1002},
                 {masked(Opcode::kText, "\xff"), 1007},
                 {masked(Opcode::kContinuation, "of nothing"), 1002}};
    for (const auto& [bytes, code] : wrong) {
        Client client(address_);
        upgrade(client);
        send(client, bytes);
        EXPECT_TRUE(ends(client));
        const std::string answer = client.take();
        ASSERT_GE(answer.size(), 4u);
        EXPECT_EQ(answer[0], static_cast<char>(0x88));
        EXPECT_EQ(static_cast<uint8_t>(answer[2]) * 256 + static_cast<uint8_t>(answer[3]), code);
        client.shut();
        expect_close({code});
        EXPECT_TRUE(is_empty());
    }
}

TEST_F(WebSocketSessionTest, WhatCameBeforeAWrongFrameIsAnsweredFirst) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    send(client, masked(Opcode::kText, "one") + masked(Opcode::kText, "two") +
                     plain(Opcode::kText, "not masked") + masked(Opcode::kText, "too late"));
    const auto one = next(), two = next();
    EXPECT_TRUE(nothing_comes());
    transport_.order(0, for_connection(id, CommandKind::kSend, "answer to one"));
    finish(one);
    settle();
    EXPECT_TRUE(is_open(id));
    transport_.order(0, for_connection(id, CommandKind::kSend, "answer to two"));
    finish(two);
    expect_received(client, plain(Opcode::kText, "answer to one") + plain(Opcode::kText, "answer to two"));
    EXPECT_TRUE(ends(client));
    const std::string close = client.take();
    ASSERT_GE(close.size(), 4u);
    EXPECT_EQ(close.substr(0, 1) + close.substr(2, 2), "\x88\x03\xea") << "1002";
    client.shut();
    expect_close({1002});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, ItEndsInTimeThoughNobodyAnswersWhatCameBefore) {
    limits_.close_ms = 30;
    start();
    Client client(address_);
    upgrade(client);
    send(client, masked(Opcode::kText, "one") + masked(Opcode::kText, "\xff"));
    const auto one = next();
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(),
              plain(Opcode::kClose, close_payload(1007, "A text message is not valid UTF-8.")));
    finish(one);
    client.shut();
    expect_close({1007});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, WhoClosesWhatHasFailedEndsItWithTheFailure) {
    start();
    for (const bool dies : {false, true}) {
        Client client(address_);
        const ConnectionId id = upgrade(client);
        send(client, masked(Opcode::kText, "one") + masked(Opcode::kText, "\xff"));
        const auto one = next();
        settle();
        if (dies) {
            reactor_->on_lost(0, InboundKind::kMessage, id, 0);
        } else {
            transport_.order(0, for_connection(id, CommandKind::kClose, "bye", 1000));
            finish(one);
        }
        EXPECT_TRUE(ends(client));
        EXPECT_EQ(client.take(),
                  plain(Opcode::kClose, close_payload(1007, "A text message is not valid UTF-8.")));
        client.shut();
        expect_close({1007});
        EXPECT_TRUE(is_empty());
    }
}

TEST_F(WebSocketSessionTest, AServerThatGoesDownLetsWhatHasFailedBeAnswered) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    send(client, masked(Opcode::kText, "one") + masked(Opcode::kText, "\xff"));
    const auto one = next();
    reactor_->begin_shutdown();
    settle();
    transport_.order(0, for_connection(id, CommandKind::kSend, "answer"));
    finish(one);
    expect_received(client,
                    plain(Opcode::kText, "answer") +
                        plain(Opcode::kClose, close_payload(1007, "A text message is not valid UTF-8.")));
    EXPECT_TRUE(ends(client));
    client.shut();
    expect_close({1007});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, TextIsKnownToBeWrongBeforeItsEndHasCome) {
    start();
    const std::string good(20'000, 'x'), bad = std::string(500, 'x') + "\xff" + std::string(500, 'x');
    const std::string whole = masked(Opcode::kText, good + bad + good);
    const size_t head = whole.size() - 2 * good.size() - bad.size();
    const std::string fragment = masked(Opcode::kText, good, false);
    for (const std::string& first :
         {whole.substr(0, head + good.size()),
          fragment + masked(Opcode::kContinuation, good + bad).substr(0, 10'000)}) {
        Client client(address_);
        upgrade(client);
        send(client, first);
        settle();
        EXPECT_FALSE(client.ended());
        const bool is_whole = first.size() < whole.size() && whole.starts_with(first);
        send(client, is_whole ? whole.substr(first.size(), bad.size())
                              : masked(Opcode::kContinuation, good + bad).substr(10'000, 10'900));
        EXPECT_TRUE(ends(client));
        EXPECT_EQ(client.take(),
                  plain(Opcode::kClose, close_payload(1007, "A text message is not valid UTF-8.")));
        client.shut();
        expect_close({1007});
        EXPECT_TRUE(is_empty());
    }
    EXPECT_EQ(transport_.rooms(), 0u);
}

TEST(WebSocketState, LeadsToItsEnd) {
    using State = WebSocketState;
    for (const std::vector<State>& life : {std::vector{State::kClosing, State::kClosed},
                                           {State::kFailing, State::kClosed},
                                           {State::kClosed}}) {
        StateMachine<State> state(State::kOpen);
        for (const State next : life)
            state.move_to(next);
        EXPECT_EQ(state, State::kClosed);
    }
}

TEST(WebSocketStateDeathTest, NeverComesBack) {
    StateMachine<WebSocketState> state(WebSocketState::kOpen);
    state.move_to(WebSocketState::kFailing);
    EXPECT_DEATH(state.move_to(WebSocketState::kClosing), "no life goes this way");
    EXPECT_DEATH(state.move_to(WebSocketState::kOpen), "no life goes this way");
}

TEST_F(WebSocketSessionTest, AMessageOverTheLimitEndsIt) {
    limits_.message_bytes = 1000;
    start();
    Client client(address_);
    upgrade(client);
    send(client, masked(Opcode::kText, std::string(1000, 'x')));
    const auto message = next();
    EXPECT_EQ(message.payload.size(), 1000u);
    finish(message);
    send(client, masked(Opcode::kText, std::string(1001, 'x')).substr(0, 100));
    EXPECT_TRUE(ends(client));
}

TEST_F(WebSocketSessionTest, AMessageThatStopsEndsIt) {
    limits_.body_ms = 30;
    limits_.close_ms = 30;
    start();
    Client client(address_);
    upgrade(client);
    send(client, masked(Opcode::kText, std::string(50'000, 'x')).substr(0, 20'000));
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(),
              plain(Opcode::kClose, close_payload(1008, "the message did not arrive in time")));
    client.shut();
    expect_close({1008});
    EXPECT_TRUE(is_empty());
    EXPECT_EQ(transport_.rooms(), 0u);
}

TEST_F(WebSocketSessionTest, AnIdleOneStaysOpen) {
    limits_.head_ms = limits_.body_ms = limits_.keep_alive_ms = limits_.write_ms = 20;
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    const uint64_t began_ms = monotonic_ms();
    until([&] { return monotonic_ms() > began_ms + 100; });
    EXPECT_FALSE(client.ended());
    EXPECT_TRUE(is_open(id));
}

// -- Much to send

TEST_F(WebSocketSessionTest, OverTheLimitOfTheQueueMessagesAreDropped) {
    limits_.queued_bytes = 100'000;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(10'000, 'x');
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < 50; ++i)
            transport_.order(0, for_connection(id, CommandKind::kSend, body));
        settle();
    }
    // 20 MB were sent; what waits is bounded, give or take what is promised already.
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
    transport_.order(0, for_connection(id, CommandKind::kSend, "and on"));
    expect_received(client, plain(Opcode::kText, "and on"));
}

TEST_F(WebSocketSessionTest, AMessageLongerThanTheQueueIsSentWhenItIsAlone) {
    limits_.queued_bytes = 65'536;
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    const std::string body(5'000'000, 'x');
    transport_.order(0, for_connection(id, CommandKind::kSend, body), true);
    expect_received(client, plain(Opcode::kText, body));
}

TEST_F(WebSocketSessionTest, AClientThatOnlyPingsCannotFillMemory) {
    limits_.queued_bytes = 65'536;
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

// -- Topics

TEST_F(WebSocketSessionTest, PublishedMessagesReachSubscribers) {
    start();
    Client a(address_), b(address_), c(address_);
    const ConnectionId id_a = upgrade(a), id_b = upgrade(b);
    upgrade(c);
    subscribe(id_a, "news");
    subscribe(id_b, "news");
    const std::string big(5000, 'x');  // shared
    publish("news", "small");
    publish("news", big);
    publish("news", "not to a", id_a);
    publish("nobody", "lost");
    Command leave = for_connection(id_b, CommandKind::kUnsubscribe);
    leave.head = "news";
    transport_.order(0, leave);
    publish("news", "to a alone");
    expect_received(
        a, plain(Opcode::kText, "small") + plain(Opcode::kText, big) + plain(Opcode::kText, "to a alone"));
    expect_received(
        b, plain(Opcode::kText, "small") + plain(Opcode::kText, big) + plain(Opcode::kText, "not to a"));
    settle();
    EXPECT_EQ(b.take(), "");
    EXPECT_EQ(c.take(), "");
}

TEST_F(WebSocketSessionTest, OfAClientThatIsBehindTheOldestMessagesMakeRoom) {
    limits_.queued_bytes = 200'000;
    slow_client_ = SlowClient::kDropOldest;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const auto body = [](int number) { return std::to_string(100'000 + number) + std::string(9'994, 'x'); };
    subscribe(id, "news");
    for (int number = 0; number < 2000; ++number) {
        if (number % 2) {
            transport_.order(0, for_connection(id, CommandKind::kSend, body(number)));
        } else {
            publish("news", body(number));
        }
        if (number % 50 == 0) settle();
    }
    settle();
    EXPECT_LE(layout_.connection(id).queued_bytes, 200'000u + 70'000u);
    transport_.order(0, for_connection(id, CommandKind::kSend, "last"));
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
    EXPECT_LT(numbers.size(), 1500u) << "some had to go";
    for (size_t back = 1; back <= 10; ++back)
        EXPECT_EQ(numbers[numbers.size() - back], 2000 - static_cast<int>(back)) << "the newest stay";
}

TEST_F(WebSocketSessionTest, WhatIsHeldBackGoesOutBeforeTheClose) {
    slow_client_ = SlowClient::kDropOldest;
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(60'000, 'x');
    std::string expected;
    for (int i = 0; i < 100; ++i) {
        transport_.order(0, for_connection(id, CommandKind::kSend, body));
        expected += plain(Opcode::kText, body);
    }
    transport_.order(0, for_connection(id, CommandKind::kClose, "bye", 1000));
    expect_received(client, expected + plain(Opcode::kClose, close_payload(1000, "bye")));
}

TEST_F(WebSocketSessionTest, AClientThatIsBehindIsClosedWith1013) {
    limits_.queued_bytes = 100'000;
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

TEST_F(WebSocketSessionTest, QuestionsAreAnswered) {
    limits_.subscriptions = 3;
    start();
    Client client(address_), other(address_);
    const ConnectionId id = upgrade(client), id_other = upgrade(other);
    subscribe(id, "room/1");
    Command prefix = for_connection(id, CommandKind::kSubscribe);
    prefix.head = "room/";
    prefix.binary = true;
    transport_.order(0, prefix);
    subscribe(id_other, "room/1");
    subscribe(id, "third");
    subscribe(id, "one too many");
    const auto ask = [&](Question question, ConnectionId about, std::string_view head, uint32_t number) {
        Command command = for_connection(about, CommandKind::kAsk);
        command.code = static_cast<uint16_t>(question);
        command.length = number;
        command.head = head;
        transport_.order(0, command);
        EXPECT_TRUE(until([&] { return !transport_.notified.empty(); }));
        auto answer = transport_.notified.front();
        transport_.notified.pop_front();
        EXPECT_EQ(answer.kind, InboundKind::kAnswer);
        EXPECT_EQ(answer.request, number);
        return answer.payload;
    };
    const auto count = [&](std::string_view topic, uint32_t number) {
        uint64_t subscribers = 0;
        const std::string payload = ask(Question::kSubscribers, kNoConnection, topic, number);
        EXPECT_EQ(payload.size(), sizeof subscribers);
        memcpy(&subscribers, payload.data(), std::min(payload.size(), sizeof subscribers));
        return subscribers;
    };
    EXPECT_EQ(count("room/1", 1), 2u);
    EXPECT_EQ(count("room/2", 2), 1u);
    EXPECT_EQ(count("one too many", 3), 0u) << "over the limit";
    EXPECT_EQ(layout_.connection(id).subscriptions, 3u);
    EXPECT_EQ(ask(Question::kTopics, id_other, {}, 4), std::string("\0\6room/1", 8));
    EXPECT_EQ(ask(Question::kTopics, id + 1000, {}, 5), "") << "of nobody";
    const uint64_t nothing = 0;
    const std::string_view threshold(reinterpret_cast<const char*>(&nothing), sizeof nothing);
    EXPECT_EQ(ask(Question::kRoom, id, threshold, 6), "") << "nothing is queued";
    EXPECT_EQ(ask(Question::kRoom, id + 1000, threshold, 7), "") << "who has gone has room";
}

TEST_F(WebSocketSessionTest, WhoWaitsForRoomIsToldWhenTheClientReads) {
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(1'000'000, 'x');
    for (int i = 0; i < 10; ++i)
        transport_.order(0, for_connection(id, CommandKind::kSend, body));
    Command question = for_connection(id, CommandKind::kAsk);
    question.code = static_cast<uint16_t>(Question::kRoom);
    question.length = 9;
    const uint64_t most = 1'000'000;
    question.head = {reinterpret_cast<const char*>(&most), sizeof most};
    transport_.order(0, question);
    settle();
    ASSERT_GT(layout_.connection(id).queued_bytes, most);
    EXPECT_TRUE(transport_.notified.empty());
    ASSERT_TRUE(until([&] {
        client.take();
        return !transport_.notified.empty();
    }));
    EXPECT_LE(layout_.connection(id).queued_bytes, most);
    EXPECT_EQ(transport_.notified[0].request, 9u);
}

TEST_F(WebSocketSessionTest, WhoWaitsForRoomIsToldWhenTheClientLeaves) {
    start();
    Client client(address_, 4096);
    const ConnectionId id = upgrade(client);
    const std::string body(1'000'000, 'x');
    for (int i = 0; i < 10; ++i)
        transport_.order(0, for_connection(id, CommandKind::kSend, body));
    Command question = for_connection(id, CommandKind::kAsk);
    question.code = static_cast<uint16_t>(Question::kRoom);
    const uint64_t most = 0;
    question.head = {reinterpret_cast<const char*>(&most), sizeof most};
    transport_.order(0, question);
    settle();
    EXPECT_TRUE(transport_.notified.empty());
    client.reset();
    EXPECT_TRUE(until([&] { return !transport_.notified.empty(); }));
    expect_close({1006});
}

TEST_F(WebSocketSessionTest, WhoIsGoneIsNoSubscriberAnyMore) {
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

TEST_F(WebSocketSessionTest, OneMessageToMany) {
    start();
    Client a(address_), b(address_), c(address_);
    upgrade(c);
    const ConnectionId ids[] = {upgrade(a), make_connection_id(0, 1), upgrade(b)};
    Command command = for_connection(kNoConnection, CommandKind::kSendMany, "to two");
    command.head = {reinterpret_cast<const char*>(ids), sizeof ids};
    transport_.order(0, command);
    command.head.remove_suffix(12);  // one and a half
    command.body = "to one";
    transport_.order(0, command);
    expect_received(a, plain(Opcode::kText, "to two") + plain(Opcode::kText, "to one"));
    expect_received(b, plain(Opcode::kText, "to two"));
    settle();
    EXPECT_EQ(b.take() + c.take(), "");
}

TEST_F(WebSocketSessionTest, ThePingOfAWorker) {
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    transport_.order(0, for_connection(id, CommandKind::kPing, "are you there"));
    transport_.order(
        0, for_connection(id, CommandKind::kPing, std::string(126, 'x')));  // longer than one may be
    expect_received(client, plain(Opcode::kPing, "are you there"));
    send(client, masked(Opcode::kPong, "yes"));
    settle();
    EXPECT_EQ(client.take(), "");
    EXPECT_FALSE(client.ended());
}

// -- Workers

TEST_F(WebSocketSessionTest, ItMovesWhenItsWorkerDrainsAndNothingOvertakes) {
    start();
    transport_.add_worker();
    Client client(address_);
    upgrade(client);
    send(client, masked(Opcode::kText, "one"));
    const auto one = next();
    EXPECT_EQ(one.worker, 0);
    transport_.ready[0] = false;
    send(client, masked(Opcode::kText, "two"));
    EXPECT_TRUE(nothing_comes()) << "the old worker has not finished";
    finish(one);
    const auto two = next();
    EXPECT_EQ(two.worker, 1);
    EXPECT_EQ(transport_.bound, (std::vector<int>{0, 1}));
    finish(two);
}

TEST_F(WebSocketSessionTest, ALostMessageDoesNotEndTheConnection) {
    start();
    transport_.add_worker();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    send(client, masked(Opcode::kText, "one"));
    next();
    transport_.ready[0] = false;
    send(client, masked(Opcode::kText, "two"));
    EXPECT_TRUE(nothing_comes());
    reactor_->on_lost(0, InboundKind::kMessage, id, 0);
    reactor_->worker_gone(0);
    const auto two = next();
    EXPECT_EQ(two.payload, "two");
    EXPECT_EQ(two.worker, 1);
    EXPECT_TRUE(is_open(id));
}

TEST_F(WebSocketSessionTest, AtShutdownItIsClosedAfterItsMessages) {
    start();
    Client idle(address_), busy(address_);
    upgrade(idle);
    const ConnectionId id = upgrade(busy);
    send(busy, masked(Opcode::kText, "question"));
    const auto message = next();
    reactor_->begin_shutdown();
    const std::string bye = plain(Opcode::kClose, close_payload(1001, "the server is going down"));
    expect_received(idle, bye);
    EXPECT_EQ(busy.take(), "");
    transport_.order(0, for_connection(id, CommandKind::kSend, "answer"));
    finish(message);
    expect_received(busy, plain(Opcode::kText, "answer") + bye);
    for (Client* client : {&idle, &busy}) {
        send(*client, masked(Opcode::kClose, close_payload(1001, "")));
        EXPECT_TRUE(ends(*client));
        client->shut();
        expect_close({1001});
    }
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, AtShutdownALostMessageIsNotWaitedFor) {
    start();
    transport_.add_worker();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    send(client, masked(Opcode::kText, "question"));
    next();
    reactor_->begin_shutdown();
    transport_.ready[0] = false;
    reactor_->on_lost(0, InboundKind::kMessage, id, 0);
    expect_received(client, plain(Opcode::kClose, close_payload(1001, "the server is going down")));
}

TEST_F(WebSocketSessionTest, PingsOfItsOwnAreAnsweredOrTheConnectionIsClosed) {
    rules_.ping_every_ms = 20;
    rules_.pong_within_ms = 40;
    rules_.wants_pongs = true;
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    ASSERT_TRUE(until([&] { return client.received().size() >= 2; }));
    const std::string ping = client.take();
    ASSERT_EQ(ping[0], static_cast<char>(0x89));
    send(client, masked(Opcode::kPong, "another") + masked(Opcode::kPong, ping.substr(2)));
    const auto pong = next();
    EXPECT_EQ(pong.kind, InboundKind::kPong);
    EXPECT_EQ(pong.payload, ping.substr(2));
    EXPECT_GT(pong.request, 0u);
    EXPECT_EQ(layout_.connection(id).round_trip_us.load(), pong.request);
    finish(pong);
    // From here on nothing comes.
    EXPECT_TRUE(ends(client));
    const std::string last = client.take();
    EXPECT_TRUE(last.ends_with(plain(Opcode::kClose, close_payload(1011, "no pong came in time"))));
    expect_close({1006}, "no pong came in time");
}

TEST_F(WebSocketSessionTest, AClientThatWaitsForAWorkerIsNotHeldToItsPongs) {
    rules_.ping_every_ms = 5;
    rules_.pong_within_ms = 5;
    start();
    Client client(address_);
    upgrade(client);
    transport_.accepting = false;
    send(client, masked(Opcode::kText, "x"));
    const uint64_t until_ms = monotonic_ms() + 60;
    until([&] { return monotonic_ms() >= until_ms; });
    EXPECT_FALSE(client.ended());
    transport_.accepting = true;
    EXPECT_EQ(next().payload, "x");
}

TEST_F(WebSocketSessionTest, AHandlerDecidesOnTheHandshake) {
    rules_.asks_handler = true;
    rules_.protocols = {"b", "a"};
    start();
    Client client(address_);
    std::string request(kUpgrade);
    request.insert(request.size() - 2, "Sec-WebSocket-Protocol: a, b\r\n");
    send(client, request + masked(Opcode::kText, "early"));
    const auto asked = next();
    EXPECT_EQ(asked.kind, InboundKind::kRequest);
    EXPECT_EQ(asked.endpoint, 1);
    settle();
    EXPECT_EQ(client.received(), "");
    Command accept = for_connection(asked.connection, CommandKind::kRespond, "a", 101);
    accept.request = asked.request;
    accept.head = "X-More: 1\r\n";
    transport_.order(3, accept);  // another worker has no say
    settle();
    EXPECT_EQ(client.received(), "");
    transport_.order(asked.worker, accept);
    finish(asked);
    const auto open = next();
    EXPECT_EQ(open.kind, InboundKind::kOpen);
    EXPECT_EQ(open.head, asked.head);
    EXPECT_EQ(next().payload, "early");
    const std::string head = client.take();
    EXPECT_EQ(head.substr(0, 12), "HTTP/1.1 101");
    EXPECT_NE(head.find("Sec-WebSocket-Protocol: a\r\n"), std::string::npos) << head;
    EXPECT_NE(head.find("X-More: 1\r\n"), std::string::npos);
    EXPECT_EQ(layout_.connection(open.connection).protocol.load(), websocket::protocol_number("a"));
}

TEST_F(WebSocketSessionTest, AProtocolThatWasNotOfferedIsNotAnswered) {
    rules_.asks_handler = true;
    start();
    Client client(address_);
    send(client, kUpgrade);
    const auto asked = next();
    Command accept = for_connection(asked.connection, CommandKind::kRespond, "evil\r\nX: y", 101);
    accept.request = asked.request;
    transport_.order(asked.worker, accept);
    EXPECT_EQ(next().kind, InboundKind::kOpen);
    EXPECT_EQ(client.received().find("Sec-WebSocket-Protocol"), std::string::npos);
}

TEST_F(WebSocketSessionTest, OnlyAHandshakeIsAnsweredWith101) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    Command accept = for_connection(request.connection, CommandKind::kRespond, "", 101);
    accept.request = request.request;
    transport_.order(request.worker, accept);
    settle();
    EXPECT_EQ(client.received(), "");
    respond(request, "fine");
    until([&] { return !client.received().empty(); });
    EXPECT_EQ(client.take(15), "HTTP/1.1 200 OK");
}

TEST_F(WebSocketSessionTest, UndecidedHandshakesAreBoundedAndEndInTime) {
    rules_.asks_handler = true;
    limits_.handshakes = 1;
    limits_.handshake_ms = 50;
    start();
    Client first(address_);
    send(first, kUpgrade);
    const auto asked = next();
    Client second(address_);
    send(second, kUpgrade);
    EXPECT_TRUE(ends(second));
    EXPECT_EQ(second.take(12), "HTTP/1.1 503");
    EXPECT_TRUE(ends(first));
    EXPECT_EQ(first.take(12), "HTTP/1.1 503");
    Command late = for_connection(asked.connection, CommandKind::kRespond, "", 101);
    late.request = asked.request;
    transport_.order(asked.worker, late);
    finish(asked);
    settle();
    EXPECT_EQ(reactor_->responses_owed(asked.worker), 0u);
    Client third(address_);
    send(third, kUpgrade);
    EXPECT_EQ(next().kind, InboundKind::kRequest) << "the place is free again";
}

}  // namespace
}  // namespace sluice
