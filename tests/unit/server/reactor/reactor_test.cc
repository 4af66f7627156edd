#include "server/reactor/reactor.h"

#include <deque>
#include <gtest/gtest.h>
#include <thread>

#include "reactor_driver.h"

namespace sluice {
namespace {

using test::Client;

class ReactorSelfTest : public test::ReactorTest {
  protected:
    bool connected(Client& client) {
        transport_.delivered.clear();
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        return until([&] { return !transport_.delivered.empty() || client.ended(); }) && !client.ended();
    }
};

TEST_F(ReactorSelfTest, TasksOfOtherThreadsAreRunAndWakeIt) {
    start();
    std::thread::id ran;
    const std::thread::id own = std::this_thread::get_id();
    std::thread other([&] {
        while (layout_.reactor(0).sleeping == 0)
            std::this_thread::yield();
        reactor_->post([&] { ran = std::this_thread::get_id(); });
    });
    const uint64_t began_ms = monotonic_ms();
    while (ran == std::thread::id() && monotonic_ms() < began_ms + 10'000)
        reactor_->turn(-1);
    other.join();
    EXPECT_EQ(ran, own);
    EXPECT_LT(monotonic_ms() - began_ms, 900u) << "the reactor slept through the bell";
}

TEST_F(ReactorSelfTest, AWatchedDescriptorEndsTheTurn) {
    start();
    UniqueFd bell(Doorbell::create_fd());
    reactor_->watch(bell.get());
    reactor_->turn(0);
    EXPECT_FALSE(reactor_->watched_ready());
    Doorbell::ring(bell.get());
    EXPECT_TRUE(until([&] { return reactor_->watched_ready(); }));
    Doorbell::drain(bell.get());
    reactor_->turn(0);
    EXPECT_FALSE(reactor_->watched_ready());
}

TEST_F(ReactorSelfTest, NoMoreConnectionsThanAllowed) {
    limits_.connections = 2;
    start();
    Client first(address_), second(address_);
    EXPECT_TRUE(connected(first));
    EXPECT_TRUE(connected(second));
    EXPECT_EQ(layout_.reactor(0).connections, 2u);
    Client third(address_);
    EXPECT_TRUE(ends(third));
    first.reset();
    EXPECT_TRUE(until([&] {
        reactor_->turn(0);
        return layout_.reactor(0).connections == 1;
    }));
    Client fourth(address_);
    EXPECT_TRUE(connected(fourth));
}

TEST_F(ReactorSelfTest, AListenerAcceptsOneBatchInATurn) {
    constexpr size_t kMany = Poller::kMaxEvents + 50;
    cells_ = 1024;
    start(EndpointKind::kTcp, tcp::Framing::line("\n", 100));
    std::string lines;
    for (size_t i = 0; i <= ServeList::kMuchAtOnce; ++i)
        lines += "line\n";
    const auto connections = [&] { return layout_.reactor(0).connections.load(); };
    std::deque<Client> clients, newcomers;
    const auto all_send = [&] {
        for (Client& client : clients)
            EXPECT_EQ(client.send_some(lines), lines.size());
    };
    for (size_t i = 0; i < kMany; ++i)
        clients.emplace_back(address_);
    all_send();
    EXPECT_TRUE(until([&] { return layout_.reactor(0).bytes_received == kMany * lines.size(); }));
    for (int i = 0; i < 200; ++i)
        newcomers.emplace_back(address_);
    // They are deferred, so the poller is asked for more than one batch.
    all_send();
    reactor_->turn(0);
    EXPECT_EQ(connections(), kMany + 64);
    transport_.delivered.clear();
}

TEST_F(ReactorSelfTest, IdsAreNeverGivenAgain) {
    start();
    ConnectionId last = 0;
    for (int i = 0; i < 200; ++i) {  // the table has fewer places
        Client client(address_);
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        const auto request = next();
        EXPECT_GT(request.connection, last);
        EXPECT_TRUE(is_open(request.connection));
        EXPECT_EQ(layout_.connection(request.connection).peer.to_string().substr(0, 10), "127.0.0.1:");
        last = request.connection;
        client.reset();
        ASSERT_TRUE(is_empty());
        EXPECT_FALSE(is_open(last));
        respond(request, "to nobody");
    }
}

TEST_F(ReactorSelfTest, WhatIsReceivedAndSentIsCounted) {
    start();
    Client client(address_);
    const std::string_view text = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    send(client, text);
    respond(next(), "hello");
    until([&] { return client.received().find("hello") != std::string::npos; });
    settle();
    EXPECT_EQ(layout_.reactor(0).messages_received, 1u);
    EXPECT_EQ(layout_.reactor(0).bytes_received, text.size());
    EXPECT_EQ(layout_.reactor(0).bytes_sent, client.received().size());
    EXPECT_EQ(layout_.reactor(0).connections, 1u);
}

TEST_F(ReactorSelfTest, WhatIsCommandedGoesOutBeforeTheWait) {
    start();
    Client client(address_);
    send(client, "GET /first HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    settle();
    const Command answer = for_connection(
        request.connection, command::Respond{.request = request.request, .status = 200}, "hello");
    reactor_->on_command(request.worker, answer, {});
    reactor_->on_finished(request.connection);
    // Once it has the answer, the client asks for more: a single turn sends the one and receives the other.
    std::thread asking([&] {
        const uint64_t give_up_ms = monotonic_ms() + kPatienceMs;
        while (client.received().find("hello") == std::string::npos && monotonic_ms() < give_up_ms) {
        }
        client.send_some("GET /second HTTP/1.1\r\nHost: x\r\n\r\n");
    });
    reactor_->turn(kPatienceMs);
    asking.join();
    ASSERT_EQ(transport_.delivered.size(), 1u);
    EXPECT_EQ(transport_.delivered.front().head.find("GET /second"), 0u);
}

TEST_F(ReactorSelfTest, ARemovedListenerAcceptsNothingButServesOn) {
    start();
    Client client(address_);
    EXPECT_TRUE(connected(client));
    respond(next(), "one");
    reactor_->remove_listener(0);
    UniqueFd late(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_storage storage;
    const socklen_t size = address_.to(storage);
    EXPECT_NE(connect(late.get(), reinterpret_cast<sockaddr*>(&storage), size), 0);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(next().kind, InboundKind::kRequest);
}

TEST_F(ReactorSelfTest, ShutdownAnswersWhatIsAskedAndEnds) {
    start();
    Client idle(address_), busy(address_);
    settle();
    send(busy, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    reactor_->begin_shutdown();
    EXPECT_TRUE(ends(idle));
    EXPECT_FALSE(busy.ended());
    respond(request, "last");
    EXPECT_TRUE(ends(busy));
    const std::string answer = busy.take();
    EXPECT_NE(answer.find("Connection: close"), std::string::npos);
    EXPECT_NE(answer.find("last"), std::string::npos);
    EXPECT_TRUE(is_empty());
}

TEST_F(ReactorSelfTest, ACorruptWorkerIsReported) {
    start();
    int reported = kNoWorker;
    reactor_->from_workers().report_corrupt = [&](int worker) { reported = worker; };
    reactor_->on_corrupt(3);
    EXPECT_EQ(reported, 3);
}

TEST_F(ReactorSelfTest, CommandsForNobodyAreIgnored) {
    start();
    Client client(address_);
    EXPECT_TRUE(connected(client));
    const auto request = next();
    const ConnectionId nobody = request.connection + 1;
    const Command::What kinds[] = {command::Send{},
                                   command::SendMany{{&nobody, 1}},
                                   command::Publish{"topic"},
                                   command::Respond{.request = 1, .status = 200},
                                   command::BodyPart{.request = 1},
                                   command::Inform{1},
                                   command::GrantHandshake{1},
                                   command::WantBody{1},
                                   command::Subscribe{"topic"},
                                   command::Unsubscribe{"topic"},
                                   command::Ping{},
                                   command::Close{1000},
                                   command::CountSubscribers{1, "topic"},
                                   command::ListTopics{1},
                                   command::AwaitRoom{1},
                                   command::Tell{1}};
    for (const Command::What& what : kinds) {
        for (ConnectionId id : {nobody, request.connection + 64, kNoConnection, UINT64_MAX})
            transport_.order(0, for_connection(id, what));
    }
    // Commands that an HTTP connection does not know have no effect.
    const Command::What not_http[] = {command::Send{}, command::Ping{}, command::Subscribe{"topic"},
                                      command::Unsubscribe{"topic"}};
    for (const Command::What& what : not_http)
        transport_.order(0, for_connection(request.connection, what));
    settle();
    EXPECT_EQ(client.take(), "");
    EXPECT_FALSE(client.ended());
    respond(request, "fine");
    until([&] { return client.received().find("fine") != std::string::npos; });
}

}  // namespace
}  // namespace sluice
