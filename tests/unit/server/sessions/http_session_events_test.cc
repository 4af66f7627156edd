#include <cstdio>
#include <gtest/gtest.h>
#include <string>

#include "http_driver.h"
#include "server/sessions/http_session.h"

namespace sluice {
namespace {

using test::Client;

class HttpSessionEventsTest : public test::HttpTest {
  protected:
    /// A client whose stream of events has begun.
    test::FakeTransport::Delivered begin(Client& client) {
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        const auto request = next();
        transport_.order(0, response(request, {}, false));
        answer(client);
        return request;
    }
    void hand_over(const test::FakeTransport::Delivered& request, std::string_view topic, int worker = 0) {
        transport_.order(
            worker, for_connection(request.connection, command::Subscribe{topic, false, request.request}));
    }
    void publish(std::string_view topic, std::string_view text, bool binary = false) {
        transport_.order(0, {.what = command::Publish{.topic = topic, .binary = binary}, .payload = text});
    }
    static std::string chunk(std::string_view text) {
        char size[20];
        return std::string(size, static_cast<size_t>(snprintf(size, sizeof size, "%zx\r\n", text.size()))) +
               std::string(text) + "\r\n";
    }
    void expect_received(Client& client, const std::string& expected) {
        EXPECT_TRUE(until([&] { return client.received().size() >= expected.size(); }));
        EXPECT_EQ(client.take(), expected);
    }
};

TEST_F(HttpSessionEventsTest, WhatIsPublishedGoesOnWithTheStream) {
    start();
    Client a(address_), b(address_);
    const auto of_a = begin(a), of_b = begin(b);
    transport_.order(0, body_part(of_a, "data: first\n\n", false));
    hand_over(of_a, "news");
    hand_over(of_b, "news");
    hand_over(of_b, "more");
    settle();
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u) << "no worker has a part in it any more";
    const std::string big(5000, 'x');  // all subscribers share this payload
    publish("news", "two\nlines");
    publish("news", "bytes", true);
    publish("news", big);
    publish("more", "only b");
    publish("nobody", "lost");
    const std::string both = chunk("data: two\ndata: lines\n\n") + chunk("data: " + big + "\n\n");
    expect_received(a, chunk("data: first\n\n") + both);
    expect_received(b, both + chunk("data: only b\n\n"));
    // The worker has nothing to say any more.
    transport_.order(0, body_part(of_a, "late", true));
    publish("news", "on");
    expect_received(a, chunk("data: on\n\n"));
}

TEST_F(HttpSessionEventsTest, OnlyTheWorkerThatOwesTheResponseHandsItOver) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    auto request = next();
    hand_over(request, "news");  // the response has not begun
    ++request.request;
    transport_.order(0, response(request, {}, false));
    hand_over(request, "news");  // another request's
    --request.request;
    publish("news", "unheard");
    settle();
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 1u);
    respond(request, "hello");
    EXPECT_TRUE(answer(client).ends_with("\r\n\r\nhello"));
    hand_over(request, "news");  // it has ended
    publish("news", "unheard");
    settle();
    EXPECT_EQ(client.take(), "");
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "again");
    EXPECT_TRUE(answer(client).ends_with("\r\n\r\nagain"));
}

TEST_F(HttpSessionEventsTest, AClientThatLeavesLeavesItsTopics) {
    start();
    {
        Client client(address_);
        hand_over(begin(client), "news");
        EXPECT_TRUE(until([&] { return reactor_->publishing().topics().count("news") == 1; }));
    }
    EXPECT_TRUE(until([&] { return reactor_->publishing().topics().count("news") == 0; }));
}

TEST_F(HttpSessionEventsTest, AClientThatDoesNotReadIsDisconnected) {
    limits_.sending.queued_bytes = 100'000;
    start();
    Client slow(address_, 4096), reader(address_);
    hand_over(begin(slow), "news");
    hand_over(begin(reader), "news");
    settle();
    ASSERT_EQ(reactor_->publishing().topics().count("news"), 2u);
    const std::string body(50'000, 'x');
    std::string expected;
    ASSERT_TRUE(until([&] {
        publish("news", body);
        expected += chunk("data: " + body + "\n\n");
        reader.received();
        return reactor_->publishing().topics().count("news") == 1;
    }));
    expect_received(reader, expected);
    // It can tell from the missing last chunk.
    std::string received;
    EXPECT_TRUE(until([&] {
        received += slow.take();
        return slow.ended();
    }));
    received += slow.take();
    EXPECT_TRUE(expected.starts_with(received));
    EXPECT_LT(received.size(), expected.size());
}

TEST_F(HttpSessionEventsTest, AServerThatStopsEndsTheStreams) {
    start();
    Client client(address_);
    hand_over(begin(client), "news");
    settle();
    reactor_->begin_shutdown();
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(), "0\r\n\r\n");
}

}  // namespace
}  // namespace sluice
