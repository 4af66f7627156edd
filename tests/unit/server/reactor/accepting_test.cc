#include "server/reactor/accepting.h"

#include <algorithm>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <vector>

#include "io/listener.h"
#include "parts_driver.h"
#include "server/sharing/client_key.h"

namespace sluice {
namespace {

class AcceptingTest : public test::PartsTest {
  protected:
    void listen() {
        start();
        std::string error;
        UniqueFd fd = open_listener(*Address::parse("127.0.0.1:0"), false, address_, error);
        ASSERT_TRUE(fd) << error;
        parts_->accepting.add(0, std::move(fd));
    }
    UniqueFd client() {
        UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_storage storage;
        const socklen_t size = address_.to(storage);
        EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&storage), size), 0);
        return fd;
    }
    static bool ends(const UniqueFd& client) {
        char byte;
        return recv(client.get(), &byte, 1, 0) <= 0;
    }

    Address address_;
};

TEST_F(AcceptingTest, WhoComesIsConnectedAndServedOnceItHasSent) {
    listen();
    const UniqueFd one = client(), other = client();
    parts_->accepting.ready(0);
    EXPECT_EQ(parts_->table.clients(), 2u);
    EXPECT_EQ(script_.calls, "connected connected ");
    EXPECT_FALSE(parts_->serve_list.has_scheduled());
    parts_->accepting.ready(7);  // a token of a listener that was removed
}

TEST_F(AcceptingTest, WhatIsSentIsNotDelayed) {
    listen();
    const UniqueFd one = client();
    parts_->accepting.ready(0);
    parts_->table.for_each([](Connection& connection) {
        int is_on = 0;
        socklen_t size = sizeof is_on;
        EXPECT_EQ(getsockopt(connection.fd.get(), IPPROTO_TCP, TCP_NODELAY, &is_on, &size), 0);
        EXPECT_NE(is_on, 0);
    });
    EXPECT_EQ(parts_->table.clients(), 1u);
}

TEST_F(AcceptingTest, OneTooManyIsClosedAtOnce) {
    limits_.connections = 1;
    listen();
    const UniqueFd one = client(), other = client();
    parts_->accepting.ready(0);
    EXPECT_EQ(parts_->table.clients(), 1u);
    EXPECT_TRUE(ends(other));
}

TEST_F(AcceptingTest, WhoHasLeftMakesRoomForOthers) {
    limits_.connections = 2;
    script_.conversation = false;
    listen();
    const UniqueFd one = client(), other = client();
    parts_->accepting.ready(0);
    EXPECT_EQ(parts_->table.clients(), 2u);
    parts_->table.for_each([](Connection& it) { it.peer_shut = it.waiting = true; });
    const UniqueFd third = client(), fourth = client(), fifth = client();
    parts_->accepting.ready(0);
    EXPECT_TRUE(ends(one) && ends(other));
    EXPECT_TRUE(ends(fifth)) << "two have left, and two may come";
    size_t open = 0;
    parts_->table.for_each([&](Connection& it) { open += it.phase == Phase::kOpen; });
    EXPECT_EQ(open, 2u);
}

TEST_F(AcceptingTest, WhoHasTakenAnswersIsKnownWhenHeComesAgain) {
    layout_ = layout_for(1024);
    listen();
    const UniqueFd stranger = client();
    parts_->accepting.ready(0);
    parts_->commons.known_addresses.know(client_key(*Address::parse("127.0.0.1:1"), parts_->commons.secret));
    const UniqueFd regular = client();
    parts_->accepting.ready(0);
    std::vector<bool> known;
    parts_->table.for_each([&](Connection& it) { known.push_back(it.known); });
    EXPECT_EQ(known, (std::vector<bool>{false, true}));
}

class FewDescriptors : public AcceptingTest {
  protected:
    static constexpr int kClients = 40;

    /// So many clients wait, and there are descriptors for as many; a quarter of these is reserved, and more.
    void SetUp() override {
        AcceptingTest::SetUp();
        ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
        listen();
        for (int i = 0; i < kClients; ++i)
            clients_.push_back(client());
        rlimit limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(UniqueFd(dup(STDIN_FILENO)).get() + kClients);
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    }
    void TearDown() override {
        setrlimit(RLIMIT_NOFILE, &before_);
        AcceptingTest::TearDown();
    }
    void accept_after_a_rest() {
        parts_->commons.now_ms += Accepting::kPauseMs;
        parts_->accepting.wake();
        parts_->accepting.ready(0);
    }
    size_t open_connections() {
        size_t open = 0;
        parts_->table.for_each([&](Connection& it) { open += it.phase == Phase::kOpen; });
        return open;
    }
    static bool waits(const UniqueFd& client) {
        char byte;
        return recv(client.get(), &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
    }

    rlimit before_;
    std::vector<UniqueFd> clients_;
};

TEST_F(FewDescriptors, ConnectionsLeaveSomeToOthersAndWait) {
    parts_->accepting.ready(0);
    const size_t came = open_connections();
    EXPECT_GE(came, 10u);
    EXPECT_LE(came, size_t{kClients} * 3 / 4);
    EXPECT_TRUE(parts_->accepting.is_resting());
    std::vector<UniqueFd> others;
    while (UniqueFd fd{dup(STDIN_FILENO)})
        others.push_back(std::move(fd));
    EXPECT_EQ(others.size(), kClients - came);
    accept_after_a_rest();
    EXPECT_EQ(open_connections(), came);
    EXPECT_TRUE(std::all_of(clients_.begin(), clients_.end(), waits)) << "nobody is turned away";

    others.clear();
    parts_->table.for_each([](Connection& it) { it.peer_shut = true; });
    parts_->table.for_each([this](Connection& it) { parts_->life.abort(it); });
    accept_after_a_rest();
    EXPECT_EQ(open_connections(), std::min(kClients - came, came));
}

TEST_F(FewDescriptors, WhoIsIdleMakesRoomForOthers) {
    script_.conversation = false;
    parts_->accepting.ready(0);
    const size_t came = open_connections();
    parts_->table.for_each([](Connection& it) { it.peer_shut = it.waiting = true; });
    accept_after_a_rest();
    EXPECT_EQ(open_connections(), kClients - came);
    EXPECT_TRUE(ends(clients_.front()));
    EXPECT_TRUE(waits(clients_.back()));
}

TEST_F(AcceptingTest, AnAddressHasItsLimit) {
    limits_.connections_per_address = 1;
    listen();
    const UniqueFd one = client(), other = client();
    parts_->accepting.ready(0);
    EXPECT_EQ(parts_->table.clients(), 1u);
    EXPECT_TRUE(ends(other));
}

TEST_F(AcceptingTest, ItRestsWhenItIsToldTo) {
    listen();
    parts_->accepting.rest_all();
    EXPECT_TRUE(parts_->accepting.is_resting());
    parts_->accepting.wake();
    EXPECT_TRUE(parts_->accepting.is_resting()) << "a listener that rests does so for kPauseMs";
    parts_->commons.now_ms += Accepting::kPauseMs;
    parts_->accepting.wake();
    EXPECT_FALSE(parts_->accepting.is_resting());
}

TEST_F(AcceptingTest, WhereAHeaderOfAProxyIsAwaitedTheSessionWaits) {
    listener_.proxies.addresses = {*AddressRange::parse("127.0.0.1")};
    listener_.proxies.proxy_protocol = true;
    listen();
    const UniqueFd one = client();
    parts_->accepting.ready(0);
    EXPECT_EQ(script_.calls, "");
    parts_->table.for_each([&](Connection& connection) {
        EXPECT_TRUE(connection.awaits_proxy);
        EXPECT_EQ(connection.deadline_ms, now() + limits_.handshake_ms);
    });
}

TEST_F(AcceptingTest, WhoWasInTheQueueOfARemovedListenerIsServed) {
    listen();
    const UniqueFd one = client();
    parts_->accepting.remove(0);
    EXPECT_EQ(parts_->table.clients(), 1u);
    parts_->accepting.remove_all();
    parts_->accepting.ready(0);
    EXPECT_EQ(parts_->table.clients(), 1u);
}

}  // namespace
}  // namespace sluice
