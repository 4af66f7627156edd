#include "server/sessions/http_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>

#include "core/clock.h"
#include "http_driver.h"
#include "lives.h"

namespace sluice {
namespace {

using test::Client;
using test::without_date;

using HttpSessionTest = test::HttpTest;

TEST_F(HttpSessionTest, ARequestIsAnswered) {
    start();
    Client client(address_);
    send(client, "GET /path?a=b HTTP/1.1\r\nHost: x\r\nX-Field: Value\r\n\r\n");
    const auto request = next();
    EXPECT_EQ(request.kind, InboundKind::kRequest);
    EXPECT_EQ(request.endpoint, 0);
    EXPECT_EQ(request.head, "GET /path?a=b HTTP/1.1\r\nhost: x\r\nx-field: Value\r\n\r\n");
    EXPECT_EQ(request.payload, "");
    EXPECT_FALSE(request.in_extent);
    EXPECT_TRUE(is_open(request.connection));
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 1u);
    respond(request, "hello");
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_FALSE(client.ended());
}

EndpointSpec route_for(std::string method, std::string path) {
    EndpointSpec spec{EndpointKind::kHttp, "here", std::move(path), {}, {}};
    spec.method = std::move(method);
    return spec;
}

TEST_F(HttpSessionTest, RequestsCarryTheirRoute) {
    routes_ = {route_for("GET", "/users/{id}"), route_for("POST", "/users")};
    routes_[1].dispatch = Dispatch::kSticky;
    start();
    Client client(address_);
    send(client,
         "GET /users/7 HTTP/1.1\r\nHost: x\r\n\r\nPOST /users HTTP/1.1\r\nHost: x\r\n"
         "Content-Length: 2\r\n\r\nabGET / HTTP/1.1\r\nHost: x\r\n\r\n");
    for (const uint16_t endpoint : {2, 3, 0}) {
        const auto request = next();
        EXPECT_EQ(request.endpoint, endpoint);
        respond(request, "ok");
    }
    answer(client, 3);
}

TEST_F(HttpSessionTest, ARouteHasItsOwnLimits) {
    protocols_.http.body_bytes = 10;
    routes_ = {route_for("POST", "/long"), route_for("POST", "/slow"), route_for("POST", "/streams")};
    routes_[0].limits.http.body_bytes = 100'000;
    routes_[1].limits.http.body_ms = 30;
    routes_[2].stream_bodies = true;
    start();
    Client client(address_);
    send(client,
         "POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + std::string(20'000, 'x'));
    const auto request = next();
    EXPECT_EQ(request.payload.size(), 20'000u);
    respond(request, "ok");
    answer(client);
    send(client, "POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\nx");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 413");
    Client slow(address_);
    send(slow, "POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\nx");
    EXPECT_TRUE(ends(slow));
    EXPECT_EQ(slow.take().substr(0, 12), "HTTP/1.1 408");
    Client streams(address_);
    send(streams, "POST /streams HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx");
    EXPECT_EQ(next().endpoint, 4) << "a streamed request is delivered before its body is complete";
}

TEST_F(HttpSessionTest, WhatNoRouteIsForIsAnsweredHere) {
    routes_ = {route_for("GET", "/users/{id}")};
    has_handler_ = false;
    start();
    Client client(address_);
    send(client, "GET /users HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(answer(client),
              "HTTP/1.1 404 Not Found\r\ncontent-type: text/plain; charset=utf-8\r\nvary: accept\r\n"
              "Content-Length: 42\r\n\r\n404 Not Found: this site has no such path\n"
              "HTTP/1.1 404 Not Found\r\ncontent-type: text/plain; charset=utf-8\r\nvary: accept\r\n"
              "Content-Length: 42\r\n\r\n");
    send(client, "OPTIONS /users/7 HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(answer(client), "HTTP/1.1 204 No Content\r\nallow: GET, HEAD, OPTIONS\r\n\r\n");
    send(client, "PUT /users/7 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
    const std::string refused = answer(client);
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 405 Method Not Allowed\r\n")) << refused;
    EXPECT_NE(refused.find("\r\nallow: GET, HEAD, OPTIONS\r\n"), refused.npos) << refused;
    EXPECT_TRUE(refused.ends_with("405 Method Not Allowed: this path takes GET, HEAD, OPTIONS\n")) << refused;
    send(client, "cdGET /users/7 HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    EXPECT_EQ(request.request, 5u) << "requests that the reactor answers are counted";
    respond(request, "ok");
    answer(client);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
}

TEST_F(HttpSessionTest, ARouteThatGoesWhileTheBodyComesIsLookedForAgain) {
    routes_ = {route_for("POST", "/a"), route_for("POST", "/b")};
    start();
    Client first(address_), second(address_);
    send(first, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo");
    send(second, "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo");
    settle();
    auto changed = std::make_shared<Endpoints>();
    EndpointSpec listener{EndpointKind::kHttp, "here", "", {}, {}};
    EndpointSpec websocket{EndpointKind::kWebSocket, "here", "/ws", {}, {}};
    changed->update({listener, websocket, routes_[0], routes_[1]});
    changed->update({listener, websocket, routes_[1], route_for("POST", "/{any}")});
    reactor_->set_endpoints(changed);
    send(first, "dy");
    auto request = next();
    EXPECT_EQ(request.endpoint, 4);
    EXPECT_EQ(request.payload, "body");
    respond(request, "ok");
    answer(first);
    send(second, "dy");
    request = next();
    EXPECT_EQ(request.endpoint, 3) << "the route still exists";
    respond(request, "ok");
    answer(second);
}

TEST_F(HttpSessionTest, AHeadInPieces) {
    start();
    Client client(address_);
    const std::string text = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
    for (char c : text) {
        ASSERT_TRUE(transport_.delivered.empty());
        send(client, {&c, 1});
        settle();
    }
    const auto request = next();
    EXPECT_EQ(request.payload, "abc");
    EXPECT_EQ(request.head.substr(0, 16), "POST /x HTTP/1.1");
    respond(request, "");
    answer(client);
}

TEST_F(HttpSessionTest, PipelinedRequestsAreAnsweredInOrder) {
    start();
    Client client(address_);
    std::string text;
    for (int i = 0; i < 5; ++i)
        text += "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n#" +
                std::to_string(i);
    send(client, text);
    std::string expected;
    for (int i = 0; i < 5; ++i) {
        const auto request = next();
        EXPECT_EQ(request.request, static_cast<uint32_t>(i + 1));
        EXPECT_EQ(request.payload, "#" + std::to_string(i));
        EXPECT_TRUE(nothing_comes()) << "the next request came before this one was answered";
        respond(request, std::to_string(i));
        expected += "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::to_string(i);
    }
    EXPECT_EQ(answer(client, 5), expected);
}

TEST_F(HttpSessionTest, StickyRequestsStayWithTheirWorker) {
    dispatch_ = Dispatch::kSticky;
    transport_.add_worker();
    start();
    transport_.bound = {1, 0};  // worker 1 is the less busy one
    Client client(address_);
    for (int i = 0; i < 3; ++i) {
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        const auto request = next();
        EXPECT_EQ(request.worker, 1);
        respond(request, "ok");
        answer(client);
    }
    transport_.bound[0] = 0;
}

TEST_F(HttpSessionTest, AStickyRequestThatHasToWaitIsReadOnce) {
    dispatch_ = Dispatch::kSticky;
    start();
    Client client(address_);
    send(client, "POST /a HTTP/1.1\r\nHo");
    settle();
    transport_.bound_worker = kNoWorker;
    send(client, "st: x\r\nContent-Length: 4\r\n\r\nbodyGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(nothing_comes());
    transport_.bound_worker = 0;
    auto request = next();
    EXPECT_EQ(request.payload, "body");
    respond(request, "ok");
    request = next();
    EXPECT_EQ(request.head.substr(0, 6), "GET /b");
    respond(request, "ok");
    answer(client, 2);
}

TEST_F(HttpSessionTest, TheClientMayAskForTheEnd) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const auto request = next();
    respond(request, "bye");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(without_date(client.take()),
              "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbye");
    EXPECT_FALSE(is_open(request.connection));
    client.shut();
    EXPECT_TRUE(is_empty());
}

TEST_F(HttpSessionTest, AHalfClosedClientGetsItsAnswer) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    client.shut();
    const auto request = next();
    settle();
    respond(request, "hello");
    EXPECT_TRUE(ends(client));
    EXPECT_NE(client.take().find("\r\n\r\nhello"), std::string::npos);
    EXPECT_TRUE(is_empty());
}

TEST_F(HttpSessionTest, BadInputIsAnsweredAndClosed) {
    start();
    for (const char* text :
         {"\x16\x03\x01", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
          "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/9.0\r\nHost: x\r\n\r\n"}) {
        Client client(address_);
        send(client, text);
        EXPECT_TRUE(ends(client)) << text;
        EXPECT_EQ(client.take().substr(0, 8), "HTTP/1.1") << text;
        client.shut();
        EXPECT_TRUE(is_empty());
    }
    EXPECT_TRUE(transport_.delivered.empty());
}

TEST_F(HttpSessionTest, AClientThatGoesAwayLeavesNothing) {
    start();
    {
        Client client(address_);
        send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc");
        until([&] { return transport_.rooms() == 1; });
        client.reset();
    }
    EXPECT_TRUE(is_empty());
    EXPECT_EQ(transport_.rooms(), 0u);
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    client.reset();
    EXPECT_TRUE(is_empty()) << "the reactor waits for a handler whose client has gone";
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_FALSE(is_open(request.connection));
    respond(request, "to nobody");
    settle();
}

TEST_F(HttpSessionTest, ASilentClientIsClosed) {
    protocols_.http.head_ms = 30;
    start();
    Client client(address_);
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(), "");
}

TEST_F(HttpSessionTest, AHeadThatDoesNotEndIsAnsweredWith408) {
    protocols_.http.head_ms = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\nX: ");
    // Single bytes do not move the deadline of a head.
    EXPECT_TRUE(until([&] {
        client.send_some("y");
        return client.ended();
    }));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 408");
}

TEST_F(HttpSessionTest, AnIdleConnectionIsClosed) {
    protocols_.http.keep_alive_ms = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "ok");
    EXPECT_TRUE(ends(client));
    EXPECT_NE(client.take().find("ok"), std::string::npos);
}

TEST_F(HttpSessionTest, AClientThatDoesNotReadIsClosed) {
    limits_.sending.write_ms = 30;
    start();
    Client client(address_, 4096);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    respond(request, std::string(20'000'000, 'x'));
    EXPECT_TRUE(until([&] { return layout_.connection(request.connection).queued_bytes > 0; }));
    EXPECT_TRUE(is_empty());
}

// -- The state of a session

TEST(HttpState, GoesFromRequestToRequest) {
    using State = HttpState;
    // Requests answered at once; with a body; by a worker that was busy; with a body not read to its end.
    test::live({State::kHead, State::kAwaiting, State::kHead, State::kBody, State::kDispatch,
                State::kAwaiting, State::kSending, State::kHead, State::kDispatch, State::kAwaiting,
                State::kDrain, State::kSending, State::kHead, State::kEnded});
    // The life of a stream of HTTP/2.
    test::live(
        {State::kHead, State::kRequest, State::kBody, State::kDispatch, State::kAwaiting, State::kEnded});
}

TEST(HttpStateDeathTest, ReadsNothingBeforeItsResponse) {
    EXPECT_DEATH(test::live({HttpState::kHead, HttpState::kAwaiting, HttpState::kBody}), "no life");
    EXPECT_DEATH(test::live({HttpState::kHead, HttpState::kSending}), "no life");
    EXPECT_DEATH(test::live({HttpState::kHead, HttpState::kEnded, HttpState::kHead}), "no life");
}

TEST_F(HttpSessionTest, WhoClosesBetweenRequestsIsGoneAtOnce) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    answer(client);
    client.shut();
    EXPECT_TRUE(ends(client)) << "there is no request that could wait";
}

TEST_F(HttpSessionTest, ARequestWaitsForWorkersAsLongAsForItsAnswer) {
    protocols_.http.head_ms = 10;
    protocols_.http.request_ms = 80;
    for (const bool all_are_dead : {false, true}) {
        transport_.accepting = false;
        transport_.ready[0] = !all_are_dead;
        start();
        Client client(address_);
        const uint64_t begun_ms = monotonic_ms();
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_TRUE(ends(client));
        EXPECT_GE(monotonic_ms() - begun_ms, 79u);
        EXPECT_TRUE(client.received().starts_with("HTTP/1.1 503 "));
    }
}

TEST_F(HttpSessionTest, WhoStandsBehindAnotherOfItsAddressWaitsAsLong) {
    protocols_.http.head_ms = 10;
    protocols_.http.request_ms = 80;
    transport_.accepting = false;
    start();
    Client first(address_);
    send(first, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    settle();
    Client second(address_);
    const uint64_t begun_ms = monotonic_ms();
    send(second, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(ends(second));
    EXPECT_GE(monotonic_ms() - begun_ms, 79u);
    EXPECT_TRUE(second.received().starts_with("HTTP/1.1 503 "));
}

TEST_F(HttpSessionTest, WhoWaitsUnreadWhenTheServerEndsIsServedToo) {
    protocols_.http.request_ms = 0;
    transport_.accepting = false;
    start();
    Client first(address_);
    send(first, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    settle();
    Client second(address_);
    send(second, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    settle();
    reactor_->begin_shutdown();
    // As long as a connection that has asked for nothing is kept for its last request, and longer.
    for (const uint64_t begun_ms = monotonic_ms(); monotonic_ms() - begun_ms < 300;)
        settle();
    transport_.accepting = true;
    for (Client* client : {&first, &second}) {
        respond(next(), "in the end");
        EXPECT_NE(answer(*client).find("in the end"), std::string::npos);
    }
}

TEST_F(HttpSessionTest, WhoWaitsForMemoryThatDoesNotComeIsAnsweredWhenTheServerEnds) {
    for (const bool is_short : {false, true}) {
        transport_.accepting = false;
        transport_.short_of_memory = is_short;
        start();
        Client client(address_);
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        settle();
        reactor_->begin_shutdown();
        settle();
        EXPECT_EQ(client.received().starts_with("HTTP/1.1 503 "), is_short);
        if (is_short) continue;
        transport_.accepting = true;
        respond(next(), "a worker has taken it after all");
        EXPECT_NE(answer(client).find("after all"), std::string::npos);
    }
}

}  // namespace
}  // namespace sluice
