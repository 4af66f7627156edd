#include "server/reactor/udp_listeners.h"

#include <cstring>
#include <gtest/gtest.h>
#include <poll.h>
#include <string>
#include <utility>

#include "core/log.h"
#include "fake_transport.h"
#include "server/config/limits.h"
#include "server/reactor/poll_token.h"

namespace sluice::test {
namespace {

constexpr uint16_t kEndpoint = 7;

/// Listeners of reactor 1 with one socket, a client of that socket, and workers that are the test.
class UdpListenersTest : public testing::Test {
  protected:
    void start() {
        log::open_file("/dev/null");
        layout_ = SharedLayout::create({.mode = 0,
                                        .reactors = 2,
                                        .worker_slots = 2,
                                        .cells = 64,
                                        .ring_bytes = 4096,
                                        .arena_bytes = 4096,
                                        .out_bytes = 4096});
        ASSERT_TRUE(layout_);
        listeners_ = std::make_unique<UdpListeners>(layout_, 1, limits_, endpoints_, poller_);
        std::vector<EndpointSpec> specs(kEndpoint + 1u);
        for (size_t i = 0; i < specs.size(); ++i) {
            specs[i].kind = EndpointKind::kUdp;
            specs[i].address = std::to_string(i);
            specs[i].limits.udp = bounds_;
        }
        auto endpoints = std::make_shared<Endpoints>();
        endpoints->update(specs);
        endpoints_ = endpoints;
        std::string error;
        const Address any = *Address::parse("127.0.0.1:0");
        UniqueFd fd = open_datagram_socket(any, false, address_, error);
        ASSERT_TRUE(fd) << error;
        listeners_->add(kEndpoint, std::move(fd));
        client_ = open_datagram_socket(any, false, own_, error);
        ASSERT_TRUE(client_) << error;
    }
    void TearDown() override {
        for (auto& message : transport_.delivered)
            if (message.in_extent) transport_.give_back(message);
    }
    void send(std::string_view bytes) {
        sockaddr_storage to;
        const socklen_t size = address_.to(to);
        ASSERT_EQ(
            sendto(client_.get(), bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&to), size),
            static_cast<ssize_t>(bytes.size()));
    }
    void turn(int timeout_ms = 0) {
        for (const epoll_event& event : poller_.wait(timeout_ms)) {
            const PollToken token(event.data.u64);
            ASSERT_EQ(token.kind(), PollToken::Kind::kUdp);
            listeners_->ready(token.number(), event.events, transport_);
        }
        listeners_->flush();
    }
    std::string answer() {
        turn();
        pollfd wanted{client_.get(), POLLIN, 0};
        if (poll(&wanted, 1, 100) != 1) return "nothing";
        std::string bytes(70'000, '\0');
        const ssize_t size = recv(client_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, size)));
        return bytes;
    }
    Command command(std::string_view body) {
        return {.what = command::SendDatagram{own_, kEndpoint},
                .connection = udp_id(1, kEndpoint),
                .payload = body};
    }
    uint64_t dropped() const { return layout_.reactor(1).datagrams_dropped.load(); }

    Limits limits_;
    UdpLimits bounds_;
    std::shared_ptr<const Endpoints> endpoints_;
    SharedLayout layout_;
    FakeTransport transport_;
    Poller poller_;
    std::unique_ptr<UdpListeners> listeners_;
    UniqueFd client_;
    Address address_, own_;
};

TEST_F(UdpListenersTest, ADatagramIsDeliveredWithItsSender) {
    start();
    const std::string longest(kMostDatagramBytes, 'x');
    for (std::string_view sent : {std::string_view("hello"), std::string_view(), std::string_view(longest)}) {
        send(sent);
        turn(1000);
        ASSERT_EQ(transport_.delivered.size(), 1u);
        auto& got = transport_.delivered.front();
        EXPECT_EQ(got.kind, InboundKind::kDatagram);
        EXPECT_EQ(got.connection, udp_id(1, kEndpoint));
        EXPECT_TRUE(listeners_->is_mine(got.connection));
        EXPECT_EQ(got.endpoint, kEndpoint);
        EXPECT_EQ(got.in_extent, sent.size() >= kExtentThreshold);
        ASSERT_EQ(got.payload.size(), sizeof(Address) + sent.size());
        Address sender;
        memcpy(&sender, got.payload.data(), sizeof sender);
        EXPECT_EQ(sender, own_);
        EXPECT_EQ(got.payload.substr(sizeof(Address)), sent);
        EXPECT_FALSE(listeners_->is_empty());
        listeners_->finished(got.connection);
        EXPECT_TRUE(listeners_->is_empty());
        if (got.in_extent) transport_.give_back(got);
        transport_.delivered.clear();
    }
    EXPECT_EQ(dropped(), 0u);
    EXPECT_EQ(listeners_->received(), 3u);
}

TEST_F(UdpListenersTest, WhatWorkersDoNotFinishHasABound) {
    bounds_.datagrams = 6;  // shared by two reactors
    start();
    for (int i = 0; i < 5; ++i)
        send("x");
    turn(1000);
    EXPECT_EQ(transport_.delivered.size(), 3u);
    EXPECT_EQ(dropped(), 2u);
    listeners_->finished(udp_id(1, kEndpoint));
    send("y");
    turn(1000);
    EXPECT_EQ(transport_.delivered.size(), 4u);
    EXPECT_EQ(dropped(), 2u);
}

TEST_F(UdpListenersTest, EachListenerHasABoundOfItsOwn) {
    bounds_.datagrams = 2;
    start();
    std::string error;
    Address other;
    UniqueFd fd = open_datagram_socket(*Address::parse("127.0.0.1:0"), false, other, error);
    ASSERT_TRUE(fd) << error;
    listeners_->add(kEndpoint - 1, std::move(fd));
    const Address first = std::exchange(address_, other);
    send("a");
    turn(1000);
    address_ = first;
    send("b");
    send("c");
    turn(1000);
    EXPECT_EQ(transport_.delivered.size(), 2u);
    EXPECT_EQ(dropped(), 1u);
    listeners_->finished(transport_.delivered.front().connection);
    send("d");
    turn(1000);
    EXPECT_EQ(transport_.delivered.size(), 2u) << "the datagram that has finished was the other listener's";
    address_ = other;
    send("e");
    turn(1000);
    EXPECT_EQ(transport_.delivered.size(), 3u);
    listeners_->remove(kEndpoint - 1);
    listeners_->finished(transport_.delivered.back().connection);
    EXPECT_FALSE(listeners_->is_empty()) << "one datagram is still with a worker";
}

TEST_F(UdpListenersTest, WhatTheKernelHasNoRoomForIsCounted) {
    bounds_.datagrams = 1'000'000;
    start();
    const std::string text(1000, 'x');
    constexpr size_t kFlood = 20'000;
    for (size_t i = 0; i < kFlood; ++i)
        send(text);
    turn();
    send("the kernel tells with the next one that it has room for");
    for (size_t before = 0; transport_.delivered.size() > before;) {
        before = transport_.delivered.size();
        turn(10);
    }
    EXPECT_GT(dropped(), 0u);
    EXPECT_EQ(transport_.delivered.size() + dropped(), kFlood + 1);
    const uint64_t lost = dropped();
    send("one more");
    turn(1000);
    EXPECT_EQ(dropped(), lost);
    EXPECT_EQ(transport_.delivered.size() + dropped(), kFlood + 2);
}

TEST_F(UdpListenersTest, WithoutAWorkerOrRoomItIsDropped) {
    start();
    transport_.accepting = false;
    send("no room in the ring");
    turn(1000);
    transport_.accepting = true;
    transport_.ready[0] = false;
    send("no worker");
    turn(1000);
    transport_.ready[0] = true;
    transport_.room_limit = 0;
    send(std::string(kExtentThreshold, 'x'));
    turn(1000);
    EXPECT_EQ(transport_.delivered.size(), 0u);
    EXPECT_EQ(dropped(), 3u);
    EXPECT_TRUE(listeners_->is_empty());
}

TEST_F(UdpListenersTest, HalfOfTheArenaIsNotForDatagrams) {
    limits_.arena_bytes = 80'000;  // a quarter for each of two
    start();
    send(std::string(15'000, 'x'));
    send(std::string(15'000, 'x'));
    turn(1000);
    turn();
    EXPECT_EQ(transport_.delivered.size(), 1u);
    EXPECT_EQ(dropped(), 1u);
}

TEST_F(UdpListenersTest, AnswersGoOut) {
    start();
    EXPECT_FALSE(listeners_->wants_flush());
    listeners_->send(command("hello"), {}, false);
    EXPECT_TRUE(listeners_->wants_flush());
    EXPECT_EQ(answer(), "hello");
    EXPECT_FALSE(listeners_->wants_flush());
    listeners_->send(command(""), {}, false);
    EXPECT_EQ(answer(), "");
    const std::string longest(kMostDatagramBytes, 'x');
    listeners_->send(command(longest), HeapPayload::copy_of({}, longest), false);
    EXPECT_EQ(answer(), longest);
    EXPECT_EQ(listeners_->sent_bytes(), 5 + kMostDatagramBytes);
    EXPECT_EQ(layout_.reactor(1).udp_queued_bytes.load(), 0u);
}

TEST_F(UdpListenersTest, WhatAWorkerMakesUpIsNotSent) {
    start();
    Command wrong = command("x");
    wrong.as<command::SendDatagram>()->endpoint = kEndpoint + 1;
    listeners_->send(wrong, {}, false);
    const std::string too_long(kMostDatagramBytes + 1, 'x');
    listeners_->send(command(too_long), {}, false);
    const Address address = own_;
    for (int family : {AF_INET6, AF_UNIX, AF_UNSPEC, 255}) {
        own_.family = static_cast<uint8_t>(family);
        listeners_->send(command("x"), {}, false);
    }
    own_ = address;
    own_.port = 0;
    listeners_->send(command("x"), {}, false);
    own_ = address;
    EXPECT_EQ(answer(), "nothing");
    EXPECT_EQ(dropped(), 1u) << "only port 0 was given to the kernel";
    listeners_->send(command("fine"), {}, false);
    EXPECT_EQ(answer(), "fine");
}

TEST_F(UdpListenersTest, WithoutMemoryAnAnswerIsDropped) {
    limits_.sending.queued_bytes = 100;
    start();
    listeners_->send(command("x"), {}, true);
    EXPECT_EQ(dropped(), 1u);
    listeners_->send(command(std::string(101, 'x')), {}, false);
    EXPECT_EQ(dropped(), 2u);
    EXPECT_EQ(answer(), "nothing");
}

TEST_F(UdpListenersTest, AfterTheEndOfReceivingAnswersGoOut) {
    start();
    listeners_->stop_receiving();
    send("too late");
    turn(10);
    EXPECT_TRUE(transport_.delivered.empty());
    listeners_->send(command("goodbye"), {}, false);
    EXPECT_EQ(answer(), "goodbye");
}

TEST_F(UdpListenersTest, ARemovedListenerIsClosed) {
    start();
    listeners_->remove(kEndpoint);
    std::string error;
    Address bound;
    EXPECT_TRUE(open_datagram_socket(address_, false, bound, error)) << error;
    listeners_->send(command("x"), {}, false);
    EXPECT_EQ(answer(), "nothing");
    listeners_->ready(0, EPOLLIN, transport_);
    listeners_->ready(99, EPOLLIN, transport_);
}

}  // namespace
}  // namespace sluice::test
