#include "server/sessions/websocket_opening.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

#include "lives.h"
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

using WebSocketOpeningTest = test::WebSocketTest;

TEST_F(WebSocketOpeningTest, AnUpgradeThatHasToWaitIsReadOnce) {
    // The head comes in two pieces; when it is complete, no worker can take the connection.
    start();
    Client client(address_);
    const std::string head =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
        "13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    send(client, head.substr(0, 40));
    settle();
    transport_.bound_worker = kNoWorker;  // workers take requests, but no connections
    send(client, head.substr(40));
    EXPECT_TRUE(nothing_comes());
    transport_.bound_worker = 0;
    const auto open = next();
    EXPECT_EQ(open.kind, InboundKind::kOpen);
    EXPECT_EQ(open.head.size(), head.size());
    EXPECT_TRUE(nothing_comes()) << "part of the head was taken for a frame";
    until([&] { return client.received().find("\r\n\r\n") != std::string::npos; });
    EXPECT_EQ(client.received().substr(0, 12), "HTTP/1.1 101");
    EXPECT_FALSE(client.ended());
    finish(open);
}

TEST_F(WebSocketOpeningTest, AHandlerDecidesOnTheHandshake) {
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
    const Command accept =
        for_connection(asked.connection, command::GrantHandshake{asked.request, "X-More: 1\r\n", "a"});
    transport_.order(3, accept);  // worker 3 was not asked
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

TEST_F(WebSocketOpeningTest, WhatAHandlerAttachesIsThereWithTheOpening) {
    rules_.asks_handler = true;
    start();
    Client client(address_);
    send(client, kUpgrade);
    const auto asked = next();
    Command accept = for_connection(asked.connection, command::GrantHandshake{asked.request});
    accept.payload = "eve";
    transport_.order(3, accept);  // worker 3 was not asked
    settle();
    EXPECT_EQ(find_attached(layout_, asked.connection).bytes(), 0u);
    transport_.order(asked.worker, accept);
    finish(asked);
    const auto open = next();
    EXPECT_EQ(open.kind, InboundKind::kOpen);
    EXPECT_EQ(find_attached(layout_, open.connection).bytes(), 3u);
}

TEST_F(WebSocketOpeningTest, WhatCannotBeAttachedIsNoWebSocket) {
    rules_.asks_handler = true;
    start();
    Client client(address_);
    send(client, kUpgrade);
    const auto asked = next();
    const std::string long_one(limits_.attached_bytes + 1, 'x');
    Command accept = for_connection(asked.connection, command::GrantHandshake{asked.request});
    accept.payload = long_one;
    transport_.order(asked.worker, accept);
    finish(asked);
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(12), "HTTP/1.1 503");
    EXPECT_EQ(reactor_->workers().responses_awaited(asked.worker), 0u);
}

TEST_F(WebSocketOpeningTest, AProtocolThatWasNotOfferedIsNotAnswered) {
    rules_.asks_handler = true;
    start();
    Client client(address_);
    send(client, kUpgrade);
    const auto asked = next();
    const Command accept =
        for_connection(asked.connection, command::GrantHandshake{asked.request, {}, "evil\r\nX: y"});
    transport_.order(asked.worker, accept);
    EXPECT_EQ(next().kind, InboundKind::kOpen);
    EXPECT_EQ(client.received().find("Sec-WebSocket-Protocol"), std::string::npos);
}

TEST_F(WebSocketOpeningTest, OnlyAHandshakeIsAnsweredWith101) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(request.worker,
                     for_connection(request.connection, command::GrantHandshake{request.request}));
    transport_.order(
        request.worker,
        for_connection(request.connection, command::Respond{.request = request.request, .status = 101}));
    settle();
    EXPECT_EQ(client.received(), "");
    respond(request, "fine");
    until([&] { return !client.received().empty(); });
    EXPECT_EQ(client.take(15), "HTTP/1.1 200 OK");
}

TEST_F(WebSocketOpeningTest, UndecidedHandshakesAreBoundedAndEndInTime) {
    rules_.asks_handler = true;
    limits_.handshakes = 1;
    protocols_.websocket.handshake_ms = 50;
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
    const Command late = for_connection(asked.connection, command::GrantHandshake{asked.request});
    transport_.order(asked.worker, late);
    finish(asked);
    settle();
    EXPECT_EQ(reactor_->workers().responses_awaited(asked.worker), 0u);
    Client third(address_);
    send(third, kUpgrade);
    EXPECT_EQ(next().kind, InboundKind::kRequest) << "the connection's place is free again";
}

// -- The state of an opening

TEST(OpeningState, EndsOrIsAWebSocket) {
    using State = OpeningState;
    test::live({State::kOffered, State::kEnded});
    test::live({State::kOffered, State::kDeciding, State::kGranted, State::kEnded});
    test::live({State::kOffered, State::kDeciding, State::kRefusing, State::kEnded});
}

TEST(OpeningStateDeathTest, GrantsOnlyWhatWasAsked) {
    using State = OpeningState;
    EXPECT_DEATH(test::live({State::kOffered, State::kGranted}), "no life");
    EXPECT_DEATH(test::live({State::kOffered, State::kDeciding, State::kRefusing, State::kGranted}),
                 "no life");
}

}  // namespace
}  // namespace sluice
