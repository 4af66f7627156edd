#include "server/sessions/tcp_session.h"

#include <gtest/gtest.h>
#include <string>

#include "lives.h"
#include "reactor_driver.h"

namespace sluice {
namespace {

using test::Client;

class TcpSessionTest : public test::ReactorTest {
  protected:
    void start_lines(uint64_t most = 1'000'000) {
        start(EndpointKind::kTcp, tcp::Framing::line("\r\n", most));
    }
    ConnectionId opened() {
        const auto open = next();
        EXPECT_EQ(open.kind, InboundKind::kOpen);
        EXPECT_EQ(open.head, "");
        finish(open);
        return open.connection;
    }
    void expect_close() {
        const auto close = next();
        EXPECT_EQ(close.kind, InboundKind::kClose);
        finish(close);
    }
};

TEST_F(TcpSessionTest, WhoSendsOneLineWaitsForNoCrowdThatSendsMany) {
    start_lines();
    std::string lines;
    for (int i = 0; i < 100; ++i)
        lines += "line\r\n";
    std::vector<std::unique_ptr<Client>> crowd;
    for (int i = 0; i < 30; ++i) {
        crowd.push_back(std::make_unique<Client>(address_));
        opened();
    }
    Client one(address_);
    opened();
    for (const auto& client : crowd)
        client->send_some(lines);
    const auto take_all = [&](size_t number) {
        EXPECT_TRUE(until([&] { return transport_.delivered.size() == number; }));
        transport_.delivered.clear();
    };
    take_all(30 * 100);
    for (const auto& client : crowd)
        client->send_some(lines);
    one.send_some("one\r\n");
    reactor_->turn(0);
    EXPECT_EQ(next().payload, "one");
    take_all(30 * 100);
}

TEST_F(TcpSessionTest, LinesGoBothWays) {
    start_lines();
    Client client(address_);
    const ConnectionId id = opened();
    EXPECT_TRUE(is_open(id));
    send(client, "one\r\ntwo\r\nthr");
    for (const char* line : {"one", "two"}) {
        const auto message = next();
        EXPECT_EQ(message.kind, InboundKind::kMessage);
        EXPECT_EQ(message.payload, line);
        EXPECT_TRUE(message.binary);
        finish(message);
    }
    EXPECT_TRUE(nothing_comes());
    send(client, "ee\r\n");
    EXPECT_EQ(next().payload, "three");
    transport_.order(0, for_connection(id, command::Send{}, "answer\r\n"));
    transport_.order(0, for_connection(id, command::Send{}, std::string(50'000, 'x')), true);
    expect_received(client, "answer\r\n" + std::string(50'000, 'x'));
}

TEST_F(TcpSessionTest, ALineOfAnySizeUpToTheLimit) {
    start_lines(300'000);
    Client client(address_);
    opened();
    for (size_t size : {0, 1, 8191, 8192, 70'000, 300'000}) {
        send(client, std::string(size, 'x') + "\r\n");
        const auto message = next();
        EXPECT_EQ(message.payload.size(), size);
        EXPECT_EQ(message.in_extent, size >= kExtentThreshold);
        finish(message);
    }
    send(client, std::string(300'001, 'x') + "\r\n");
    EXPECT_TRUE(ends(client));
    client.shut();
    expect_close();
}

/// Who has closed its side may have closed all: TCP does not tell before something is sent.
TEST_F(TcpSessionTest, AClientThatHasLeftIsNotAwaitedForEver) {
    limits_.kill_ms = 50;
    start_lines();
    Client client(address_);
    opened();
    send(client, "never answered\r\n");
    const auto message = next();
    client.shut();
    EXPECT_TRUE(ends(client));
    finish(message);
    expect_close();
}

TEST_F(TcpSessionTest, WhatIsSentToAClientThatHasClosedItsSideProlongsIt) {
    limits_.kill_ms = 400;
    start_lines();
    Client client(address_);
    const ConnectionId id = opened();
    send(client, "a stream, please\r\n");
    const auto message = next();
    client.shut();
    const uint64_t began_ms = monotonic_ms();
    while (monotonic_ms() < began_ms + 2 * limits_.kill_ms) {
        transport_.order(0, for_connection(id, command::Send{}, "part"));
        reactor_->turn(1);
    }
    EXPECT_TRUE(is_open(id));
    finish(message);
    EXPECT_TRUE(ends(client));
    expect_close();
}

TEST_F(TcpSessionTest, LengthPrefixedMessages) {
    start(EndpointKind::kTcp, tcp::Framing::length_prefix(4, 1'000'000));
    Client client(address_);
    opened();
    std::string all;
    const size_t sizes[] = {0, 5, 8192, 100'000, 3, 1'000'000};
    for (size_t size : sizes) {
        const char header[] = {static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                               static_cast<char>(size >> 8), static_cast<char>(size)};
        all += std::string(header, 4) + std::string(size, static_cast<char>('a' + size % 26));
    }
    send(client, all);
    for (size_t size : sizes) {
        const auto message = next();
        ASSERT_TRUE(message.payload == std::string(size, static_cast<char>('a' + size % 26))) << size;
        finish(message);
    }
}

TEST_F(TcpSessionTest, AClientThatHasShutItsSideGetsItsAnswers) {
    start_lines();
    Client client(address_);
    const ConnectionId id = opened();
    send(client, "question\r\nunfinished");
    client.shut();
    const auto message = next();
    EXPECT_TRUE(nothing_comes());
    EXPECT_FALSE(client.ended());
    transport_.order(0, for_connection(id, command::Send{}, "answer\r\n"));
    finish(message);
    expect_received(client, "answer\r\n");
    EXPECT_TRUE(ends(client));
    expect_close();
    EXPECT_TRUE(is_empty());
}

TEST_F(TcpSessionTest, OpeningAndEndAtOnce) {
    start_lines();
    Client client(address_);
    client.shut();
    opened();
    expect_close();
    EXPECT_TRUE(is_empty());
}

TEST_F(TcpSessionTest, TheWorkerClosesAfterItsAnswer) {
    start_lines();
    Client client(address_);
    const ConnectionId id = opened();
    const std::string much(3'000'000, 'x');
    transport_.order(0, for_connection(id, command::Send{}, much));
    transport_.order(0, for_connection(id, command::Close{}));
    expect_received(client, much);
    EXPECT_TRUE(ends(client));
    client.shut();
    expect_close();
    EXPECT_TRUE(is_empty());
}

TEST_F(TcpSessionTest, ALineThatStopsEndsIt) {
    protocols_.tcp.message_ms = 30;
    start_lines();
    Client client(address_);
    opened();
    const uint64_t began_ms = monotonic_ms();
    until([&] { return monotonic_ms() > began_ms + 100; });
    EXPECT_FALSE(client.ended()) << "between lines a client has all the time that it wants";
    send(client, "unfinished");
    EXPECT_TRUE(ends(client));
    client.shut();
    expect_close();
}

TEST_F(TcpSessionTest, WithoutAWorkerLinesWaitInOrder) {
    start_lines();
    transport_.accepting = false;
    Client client(address_);
    send(client, "one\r\ntwo\r\n" + std::string(20'000, 'x') + "\r\nthree\r\n");
    EXPECT_TRUE(nothing_comes());
    transport_.accepting = true;
    opened();
    EXPECT_EQ(next().payload, "one");
    EXPECT_EQ(next().payload, "two");
    EXPECT_EQ(next().payload.size(), 20'000u);
    EXPECT_EQ(next().payload, "three");
}

TEST_F(TcpSessionTest, AtShutdownItEndsAfterItsMessages) {
    start_lines();
    Client idle(address_), busy(address_);
    opened();
    opened();
    send(busy, "question\r\n");
    auto message = next();
    ASSERT_EQ(message.kind, InboundKind::kMessage);
    reactor_->begin_shutdown();
    EXPECT_TRUE(ends(idle));
    EXPECT_FALSE(busy.ended());
    transport_.order(0, for_connection(message.connection, command::Send{}, "answer\r\n"));
    finish(message);
    expect_received(busy, "answer\r\n");
    EXPECT_TRUE(ends(busy));
    idle.shut();
    busy.shut();
    expect_close();
    expect_close();
    EXPECT_TRUE(is_empty());
}

// -- The state of a session

TEST(TcpState, OpensAndEnds) {
    test::live({TcpState::kAccepted, TcpState::kOpen, TcpState::kEnded});
    test::live({TcpState::kAccepted, TcpState::kEnded});
}

TEST(TcpStateDeathTest, NeverOpensAgain) {
    EXPECT_DEATH(test::live({TcpState::kAccepted, TcpState::kEnded, TcpState::kOpen}), "no life");
    EXPECT_DEATH(test::live({TcpState::kOpen, TcpState::kAccepted}), "no life");
}

}  // namespace
}  // namespace sluice
