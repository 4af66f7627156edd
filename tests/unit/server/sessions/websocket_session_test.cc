#include "server/sessions/websocket_session.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

#include "io/poller.h"
#include "lives.h"
#include "protocol/websocket/websocket_frame.h"
#include "websocket_driver.h"

namespace sluice {
namespace {

using test::Client;
using test::close_payload;
using test::kUpgrade;
using test::masked;
using test::plain;
using websocket::Opcode;

using WebSocketSessionTest = test::WebSocketTest;

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
    transport_.order(0, for_connection(id, command::Send{}, "world"));
    transport_.order(0, for_connection(id, command::Send{true}, "bytes"), true);
    expect_received(client, plain(Opcode::kText, "world") + plain(Opcode::kBinary, "bytes"));
}

TEST_F(WebSocketSessionTest, WhatFollowsTheUpgradeAtOnceIsHeard) {
    start();
    Client client(address_);
    upgrade(client, masked(Opcode::kText, "first") + masked(Opcode::kText, "second"));
    EXPECT_EQ(next().payload, "first");
    EXPECT_EQ(next().payload, "second");
}

TEST_F(WebSocketSessionTest, BigMessagesGoToExtents) {
    start();
    Client client(address_);
    upgrade(client);
    for (size_t size :
         {kExtentThreshold - 1, kExtentThreshold, size_t{40'000}, size_t{70'000}, size_t{1'000'000}}) {
        std::string payload(size, '\0');
        for (size_t i = 0; i < size; ++i)
            payload[i] = static_cast<char>(i * 31 + i / 253);
        send(client, masked(Opcode::kBinary, payload));
        const auto message = next();
        EXPECT_TRUE(message.payload == payload) << size;
        EXPECT_EQ(message.in_extent, size >= kExtentThreshold) << size;
        finish(message);
    }
    EXPECT_EQ(transport_.rooms(), 0u);
}

/// Of a crowd that sends many frames at once, and of one client that sends one message.
class WebSocketCrowdTest : public test::WebSocketTest {
  protected:
    static constexpr size_t kMany = Poller::kMaxEvents + 50;

    uint64_t received() const { return layout_.reactor(0).bytes_received.load(); }
    /// Each of the crowd sends `frames` twice; when they have come again, with the one's message behind them,
    /// that is delivered first.
    void expect_one_before_crowd(const std::string& frames) {
        cells_ = 512;
        start();
        std::vector<std::unique_ptr<Client>> crowd;
        for (size_t i = 0; i < kMany; ++i)
            upgrade(*crowd.emplace_back(std::make_unique<Client>(address_)));
        Client one(address_);
        upgrade(one);
        uint64_t all = received();
        const auto all_send = [&] {
            for (const auto& client : crowd)
                EXPECT_EQ(client->send_some(frames), frames.size());
            all += kMany * frames.size();
        };
        all_send();
        EXPECT_TRUE(until([&] { return received() == all; }));
        transport_.delivered.clear();
        all_send();
        const std::string message = masked(Opcode::kText, "hello");
        one.send_some(message);
        all += message.size();
        reactor_->turn(0);
        ASSERT_FALSE(transport_.delivered.empty())
            << "more events are before it than the poller tells of at once";
        EXPECT_EQ(transport_.delivered.front().payload, "hello");
        EXPECT_LT(received(), all) << "the crowd waits for the next turns";
        EXPECT_TRUE(until([&] { return received() == all; })) << "and is not forgotten";
        transport_.delivered.clear();
    }
};

TEST_F(WebSocketCrowdTest, WhoSendsOneMessageWaitsForNoPings) {
    std::string frames;
    for (int i = 0; i < 100; ++i)
        frames += masked(Opcode::kPing, std::string(100, 'p'));
    expect_one_before_crowd(frames);
}

TEST_F(WebSocketCrowdTest, NorForFragments) {
    std::string frames = masked(Opcode::kText, "", false);
    for (int i = 0; i < 500; ++i)
        frames += masked(Opcode::kContinuation, "", false);
    expect_one_before_crowd(frames + masked(Opcode::kContinuation, ""));
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

TEST_F(WebSocketSessionTest, WithoutAWorkerControlFramesAreAnswered) {
    start();
    Client client(address_);
    upgrade(client);
    transport_.accepting = false;
    for (const std::string payload : {"one", "two"}) {
        send(client, masked(Opcode::kPing, payload) + masked(Opcode::kPong, ""));
        expect_received(client, plain(Opcode::kPong, payload));
    }
    send(client, masked(Opcode::kClose, close_payload(1000, "")));
    expect_received(client, plain(Opcode::kClose, close_payload(1000, "")));
    transport_.accepting = true;
}

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
    transport_.order(0, for_connection(id, command::Send{}, "last"));
    transport_.order(0, for_connection(id, command::Close{1000}, "bye"));
    transport_.order(0, for_connection(id, command::Send{}, "too late"));
    transport_.order(0, for_connection(id, command::Close{1001}, "again"));
    expect_received(client, plain(Opcode::kText, "last") + plain(Opcode::kClose, close_payload(1000, "bye")));
    EXPECT_FALSE(is_open(id)) << "workers see the connection as closed already";
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
    protocols_.websocket.close_ms = 30;
    start();
    Client client(address_);
    transport_.order(0, for_connection(upgrade(client), command::Close{1000}, ""));
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
    EXPECT_FALSE(reactor_->is_empty()) << "the messages of the connection are not finished";
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
    transport_.order(0, for_connection(id, command::Send{}, "answer to one"));
    finish(one);
    settle();
    EXPECT_TRUE(is_open(id));
    transport_.order(0, for_connection(id, command::Send{}, "answer to two"));
    finish(two);
    expect_received(client, plain(Opcode::kText, "answer to one") + plain(Opcode::kText, "answer to two"));
    EXPECT_TRUE(ends(client));
    const std::string close = client.take();
    ASSERT_GE(close.size(), 4u);
    EXPECT_EQ(close.substr(0, 1) + close.substr(2, 2), "\x88\x03\xea") << "the close code is 1002";
    client.shut();
    expect_close({1002});
    EXPECT_TRUE(is_empty());
}

TEST_F(WebSocketSessionTest, ItEndsInTimeThoughNobodyAnswersWhatCameBefore) {
    protocols_.websocket.close_ms = 30;
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
            transport_.order(0, for_connection(id, command::Close{1000}, "bye"));
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
    transport_.order(0, for_connection(id, command::Send{}, "answer"));
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

TEST_F(WebSocketSessionTest, AMessageOverTheLimitEndsIt) {
    protocols_.websocket.message_bytes = 1000;
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
    protocols_.websocket.message_ms = 30;
    protocols_.websocket.close_ms = 30;
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
    protocols_.http.head_ms = protocols_.websocket.message_ms = protocols_.http.keep_alive_ms =
        limits_.sending.write_ms = 20;
    start();
    Client client(address_);
    const ConnectionId id = upgrade(client);
    const uint64_t began_ms = monotonic_ms();
    until([&] { return monotonic_ms() > began_ms + 100; });
    EXPECT_FALSE(client.ended());
    EXPECT_TRUE(is_open(id));
}

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
    EXPECT_TRUE(nothing_comes()) << "the next worker got a message before the old one had finished";
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
    reactor_->from_workers().worker_gone(0);
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
    transport_.order(0, for_connection(id, command::Send{}, "answer"));
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
    EXPECT_GT(pong.round_trip_us, 0u);
    EXPECT_EQ(layout_.connection(id).round_trip_us.load(), pong.round_trip_us);
    finish(pong);
    // From here on the client sends nothing.
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

TEST_F(WebSocketSessionTest, APongWaitsForAWorkerThatIsToldOfIt) {
    rules_.ping_every_ms = 20;
    rules_.pong_within_ms = 60'000;
    rules_.wants_pongs = true;
    start();
    Client client(address_);
    upgrade(client);
    ASSERT_TRUE(until([&] { return client.received().size() >= 2; }));
    const std::string ping = client.take();
    ASSERT_EQ(ping[0], static_cast<char>(0x89));
    transport_.accepting = false;
    // What no worker is needed for is answered, up to the pong.
    send(client, masked(Opcode::kPing, "p") + masked(Opcode::kPong, ping.substr(2)));
    expect_received(client, plain(Opcode::kPong, "p"));
    EXPECT_TRUE(transport_.delivered.empty());
    transport_.accepting = true;
    EXPECT_EQ(next().kind, InboundKind::kPong);
}

// -- The state of a session

TEST(WebSocketState, LeadsToItsEnd) {
    using State = WebSocketState;
    test::live({State::kOpen, State::kClosing, State::kClosed});
    test::live({State::kOpen, State::kFailing, State::kClosed});
    test::live({State::kOpen, State::kClosed});
}

TEST(WebSocketStateDeathTest, NeverComesBack) {
    using State = WebSocketState;
    EXPECT_DEATH(test::live({State::kOpen, State::kFailing, State::kClosing}), "no life");
    EXPECT_DEATH(test::live({State::kOpen, State::kClosing, State::kOpen}), "no life");
    EXPECT_DEATH(test::live({State::kOpen, State::kClosed, State::kFailing}), "no life");
}

}  // namespace
}  // namespace sluice
