#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "http_driver.h"
#include "server/sessions/http_session.h"

namespace sluice {
namespace {

using test::Client;
using Delivered = test::FakeTransport::Delivered;

std::string get(std::string_view path, std::string_view fields = {}) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n" + std::string(fields) + "\r\n";
}

class HttpSessionPipeliningTest : public test::HttpTest {
  protected:
    /// Opens the connection's window for pipelined requests.
    void warm_up(Client& client) {
        for (int i = 0; i < kWarmings; ++i) {
            send(client, get("/"));
            respond(next(), "");
            answer(client);
        }
    }
    std::vector<Delivered> take(size_t count) {
        std::vector<Delivered> requests;
        for (size_t i = 0; i < count; ++i)
            requests.push_back(next());
        return requests;
    }
    std::vector<Delivered> in_flight(Client& client, size_t count) {
        warm_up(client);
        std::string text;
        for (size_t i = 0; i < count; ++i)
            text += get("/" + std::to_string(i));
        send(client, text);
        return take(count);
    }
    static std::string ok(std::string_view body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
               std::string(body);
    }

    static constexpr int kWarmings = 4;
};

TEST_F(HttpSessionPipeliningTest, SeveralRequestsAreInFlight) {
    start();
    transport_.add_worker();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 5);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 5u);
    for (size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(requests[i].request, kWarmings + 1 + i);
        EXPECT_EQ(requests[i].head.substr(0, 7), "GET /" + std::to_string(i) + " ");
        EXPECT_EQ(requests[i].worker, requests[0].worker);
        EXPECT_TRUE(requests[i].pipelined);
        respond(requests[i], std::to_string(i));
    }
    EXPECT_EQ(answer(client, 5), ok("0") + ok("1") + ok("2") + ok("3") + ok("4"));
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_FALSE(client.ended());
}

TEST_F(HttpSessionPipeliningTest, ALoneRequestIsNotPipelined) {
    start();
    Client client(address_);
    send(client, get("/"));
    EXPECT_FALSE(next().pipelined);
}

TEST_F(HttpSessionPipeliningTest, AResponseOutOfTurnIsIgnored) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 2);
    respond(requests[1], "early");
    settle();
    EXPECT_EQ(client.received(), "");
    respond(requests[0], "first");
    respond(requests[1], "second");
    EXPECT_EQ(answer(client, 2), ok("first") + ok("second"));
}

TEST_F(HttpSessionPipeliningTest, TheWindowOpensWithSmallResponses) {
    limits_.sending.high_water_bytes = 4000;
    start();
    Client client(address_);
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += get("/");
    send(client, text);
    size_t most = 0;
    for (size_t answered = 0; answered < 40;) {
        settle();
        const size_t count = transport_.delivered.size();
        ASSERT_GT(count, 0u);
        if (answered == 0) {
            EXPECT_EQ(count, 1u) << "nothing is known of its responses";
        }
        most = std::max(most, count);
        for (const Delivered& request : take(count))
            respond(request, "");
        answered += count;
    }
    EXPECT_GT(most, 4u);
    EXPECT_LE(most, 16u);
    answer(client, 40);
    // A long response closes it.
    send(client, get("/") + get("/") + get("/"));
    const std::vector<Delivered> requests = take(3);
    for (const Delivered& request : requests)
        respond(request, std::string(2000, 'x'));
    answer(client, 3);
    send(client, get("/") + get("/"));
    respond(next(), "");
    EXPECT_EQ(answer(client), ok(""));
}

TEST_F(HttpSessionPipeliningTest, WhatNeedsMoreThanItsWorkerWaits) {
    routes_ = {{EndpointKind::kHttp, "here", "/only", {}, {}}};
    routes_[0].method = "GET";
    has_handler_ = false;
    start();
    for (const std::string& second :
         {"POST /only HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" + std::string(),
          get("/only", "Content-Length: 2\r\n") + "ab",
          get("/only", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n",
          get("/only", "Expect: 100-continue\r\nContent-Length: 1\r\n"), get("/nowhere"),
          get("/ws",
              "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"),
          std::string("GET /only HTTP/1.1\r\nHost: x\r\nBad Field: 1\r\n\r\n"), std::string("GET /on")}) {
        Client client(address_);
        for (int i = 0; i < kWarmings; ++i) {
            send(client, get("/only"));
            respond(next(), "");
            answer(client);
        }
        send(client, get("/only") + second);
        const Delivered first = next();
        EXPECT_TRUE(nothing_comes()) << second;
        EXPECT_EQ(client.received(), "") << second;
        respond(first, "first");
        ASSERT_TRUE(until([&] { return client.received().size() >= ok("first").size(); }));
        EXPECT_EQ(client.take().find("HTTP/1.1 200"), 0u);
        client.reset();
        settle();
        transport_.delivered.clear();
    }
}

TEST_F(HttpSessionPipeliningTest, WhoAwaitsHisAnswersIsServedBeforeACrowdThatDoesNot) {
    start();
    Client one(address_), two(address_, 0, "127.0.0.2"), three(address_, 0, "127.0.0.3");
    std::vector<Delivered> firsts;
    for (Client* client : {&one, &two}) {
        send(*client, get("/") + get("/"));
        firsts.push_back(next());
    }
    transport_.accepting = false;
    for (const Delivered& request : firsts)
        respond(request, "");
    answer(one);
    answer(two);
    send(three, get("/three"));
    EXPECT_TRUE(nothing_comes());
    transport_.accepting = true;
    EXPECT_EQ(next().head.substr(0, 11), "GET /three ");
    take(2);
}

TEST_F(HttpSessionPipeliningTest, ARequestWithABodyMayStandBeforeOthers) {
    start();
    Client client(address_);
    warm_up(client);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab" + get("/2") + get("/3"));
    const std::vector<Delivered> requests = take(3);
    EXPECT_EQ(requests[0].payload, "ab");
    for (const Delivered& request : requests)
        respond(request, std::to_string(request.request));
    EXPECT_EQ(answer(client, 3), ok("5") + ok("6") + ok("7"));
}

TEST_F(HttpSessionPipeliningTest, NothingFollowsARequestThatWasDeliveredAlone) {
    stream_bodies_ = true;
    start();
    Client client(address_);
    warm_up(client);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
    const Delivered first = next();
    EXPECT_FALSE(first.pipelined);
    send(client, "cd" + get("/2"));
    EXPECT_TRUE(nothing_comes()) << "its worker would not wait for the response before";
    respond(first, "x");
    respond(next(), "y");
    EXPECT_EQ(answer(client, 2), ok("x") + ok("y"));
}

TEST_F(HttpSessionPipeliningTest, HeadAndResponsesWithoutABodyKeepTheirPlace) {
    start();
    Client client(address_);
    warm_up(client);
    send(client, "HEAD /1 HTTP/1.1\r\nHost: x\r\n\r\n" + get("/2") + get("/3") + get("/4"));
    const std::vector<Delivered> requests = take(4);
    respond(requests[0], "abc");
    for (const uint16_t status : {204, 304}) {
        const Delivered& request = requests[status == 204 ? 1 : 2];
        transport_.order(0, for_connection(request.connection,
                                           command::Respond{.request = request.request, .status = status}));
    }
    respond(requests[3], "end");
    ASSERT_TRUE(until([&] { return client.received().ends_with("end"); }));
    EXPECT_EQ(test::without_date(client.take()),
              "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
              "HTTP/1.1 304 Not Modified\r\n\r\n" +
                  ok("end"));
}

TEST_F(HttpSessionPipeliningTest, AStreamedResponseKeepsItsPlace) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 2);
    transport_.order(0, response(requests[0], "one", false));
    transport_.order(0, body_part(requests[0], "two", true));
    respond(requests[1], "second");
    ASSERT_TRUE(until([&] { return client.received().ends_with("second"); }));
    EXPECT_NE(client.received().find("3\r\ntwo\r\n0\r\n\r\nHTTP/1.1 200"), std::string::npos);
}

TEST_F(HttpSessionPipeliningTest, AResponseThatClosesEndsAllBehindIt) {
    start();
    Client client(address_);
    warm_up(client);
    // A body of unknown length ends with the connection in HTTP/1.0.
    const std::string old = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    send(client, old + old + old);
    const std::vector<Delivered> requests = take(3);
    transport_.order(0, response(requests[0], "la", false));
    transport_.order(0, body_part(requests[0], "st", true));
    respond(requests[1], "second");
    EXPECT_TRUE(ends(client));
    EXPECT_TRUE(client.received().ends_with("last"));
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_FALSE(is_open(requests[1].connection)) << "its worker does not begin them";
}

TEST_F(HttpSessionPipeliningTest, TheLastRequestIsTheLastInFlight) {
    protocols_.http.keep_alive_requests = kWarmings + 2;
    start();
    Client client(address_);
    warm_up(client);
    send(client, get("/1") + get("/2") + get("/3"));
    const std::vector<Delivered> requests = take(2);
    EXPECT_TRUE(nothing_comes());
    for (const Delivered& request : requests)
        respond(request, "x");
    EXPECT_TRUE(ends(client));
    const std::string all = test::without_date(client.take());
    EXPECT_EQ(all, ok("x") + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx");
}

TEST_F(HttpSessionPipeliningTest, AfterATimeoutTheConnectionEnds) {
    protocols_.http.request_ms = 50;
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 2);
    EXPECT_TRUE(ends(client));
    const std::string all = client.take();
    EXPECT_EQ(all.find("HTTP/1.1 504"), 0u);
    EXPECT_EQ(all.find("HTTP/1.1 ", 1), std::string::npos);
    ASSERT_EQ(transport_.notified.size(), 1u);
    EXPECT_EQ(transport_.notified[0].request, requests[0].request);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
}

TEST_F(HttpSessionPipeliningTest, EachHasADeadlineOfItsOwn) {
    protocols_.http.request_ms = 400;
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 3);
    const uint64_t begun_ms = monotonic_ms();
    for (size_t i = 0; i < 2; ++i) {
        until([&] { return monotonic_ms() >= begun_ms + 250 * (i + 1); });
        respond(requests[i], "x");
        EXPECT_EQ(answer(client), ok("x"));
    }
    EXPECT_EQ(answer(client).find("HTTP/1.1 504"), 0u);
    EXPECT_FALSE(client.ended()) << "nothing is behind it";
}

TEST_F(HttpSessionPipeliningTest, WhatADeadWorkerHadNotBegunIsAnsweredInOrder) {
    start();
    transport_.add_worker();
    transport_.add_worker();
    Client client(address_);
    std::vector<Delivered> requests = in_flight(client, 4);
    const ConnectionId id = requests[0].connection;
    transport_.ready[0] = false;
    reactor_->on_lost(0, InboundKind::kRequest, id, requests[0].request);
    transport_.orphans = {requests[1].request, requests[2].request, requests[3].request};
    reactor_->from_workers().worker_gone(0);
    // The worker that got the first of them gets all, though it takes no others by now.
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, id, requests[1].request), 1);
    transport_.ready[1] = false;
    for (size_t i : {2, 3})
        EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, id, requests[i].request), 1);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_EQ(reactor_->workers().responses_awaited(1), 3u);
    for (size_t i : {1, 2, 3}) {
        requests[i].worker = 1;
        respond(requests[i], std::to_string(i));
    }
    const std::string all = answer(client, 4);
    EXPECT_EQ(all.find("HTTP/1.1 502"), 0u);
    EXPECT_TRUE(all.ends_with(ok("1") + ok("2") + ok("3"))) << all;
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, id, requests[1].request), kNoConnectionLeft);
}

TEST_F(HttpSessionPipeliningTest, EachThatAWorkerHadBegunIsAnsweredForIt) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 3);
    transport_.ready[0] = false;
    // The first one's handler has returned, so its message is not lost.
    finish(requests[0]);
    settle();
    reactor_->on_lost(0, InboundKind::kRequest, requests[1].connection, requests[1].request);
    reactor_->on_lost(0, InboundKind::kRequest, requests[2].connection, requests[2].request);
    reactor_->from_workers().worker_gone(0);
    const std::string all = answer(client, 3);
    size_t count = 0;
    for (size_t at = 0; (at = all.find("HTTP/1.1 502", at)) != std::string::npos; ++at)
        ++count;
    EXPECT_EQ(count, 3u);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
}

TEST_F(HttpSessionPipeliningTest, ADrainingWorkerGetsNoMore) {
    start();
    transport_.add_worker();
    Client client(address_);
    warm_up(client);
    std::string text;
    for (int i = 0; i < 20; ++i)
        text += get("/" + std::to_string(i));
    send(client, text);
    std::vector<Delivered> requests = take(16);
    EXPECT_TRUE(nothing_comes());
    transport_.ready[0] = false;
    for (const Delivered& request : requests)
        respond(request, "x");
    answer(client, 16);
    requests = take(4);
    for (const Delivered& request : requests) {
        EXPECT_EQ(request.worker, 1);
        respond(request, "y");
    }
    EXPECT_EQ(answer(client, 4), ok("y") + ok("y") + ok("y") + ok("y"));
}

TEST_F(HttpSessionPipeliningTest, TheServerThatDrainsAnswersAllInFlight) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 3);
    reactor_->begin_shutdown();
    for (const Delivered& request : requests)
        respond(request, "x");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(test::without_date(client.take()),
              ok("x") + ok("x") + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx");
    EXPECT_TRUE(is_empty());
}

TEST_F(HttpSessionPipeliningTest, AClientThatClosesItsSideHasEachCancelledInItsTurn) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 2);
    client.shut();
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }));
    EXPECT_EQ(transport_.notified[0].request, requests[0].request);
    respond(requests[0], "x");
    ASSERT_TRUE(until([&] { return transport_.notified.size() == 2; }));
    EXPECT_EQ(transport_.notified[1].request, requests[1].request);
    respond(requests[1], "y");
    EXPECT_TRUE(ends(client));
    EXPECT_TRUE(client.received().ends_with("y"));
}

TEST_F(HttpSessionPipeliningTest, AClientThatHasGoneLeavesNothingBehind) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 5);
    client.reset();
    EXPECT_TRUE(until([&] { return !is_open(requests[0].connection); }));
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    for (const Delivered& request : requests)
        respond(request, "nobody reads it");
    settle();
    EXPECT_TRUE(is_empty());
}

TEST_F(HttpSessionPipeliningTest, AStreamOfEventsIsTheConnectionsLast) {
    start();
    Client client(address_);
    const std::vector<Delivered> requests = in_flight(client, 2);
    transport_.order(0, response(requests[0], "data: 1\n\n", false));
    transport_.order(
        0, for_connection(requests[0].connection, command::Subscribe{"news", false, requests[0].request}));
    respond(requests[1], "never");
    settle();
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_EQ(client.received().find("never"), std::string::npos);
    reactor_->begin_shutdown();
    EXPECT_TRUE(ends(client));
}

TEST_F(HttpSessionPipeliningTest, NobodyRunsAheadOfThoseWhoWait) {
    start();
    Client client(address_), other(address_);
    warm_up(client);
    send(client, get("/1"));
    const Delivered first = next();
    transport_.accepting = false;
    send(other, get("/other"));
    settle();
    transport_.accepting = true;
    send(client, get("/2"));
    respond(first, "");
    settle();
    respond(next(), "");
    respond(next(), "");
    EXPECT_EQ(answer(client, 2), ok("") + ok(""));
    answer(other);
}

TEST_F(HttpSessionPipeliningTest, WhoseNextRequestIsThereAlreadyDoesNotOvertakeThoseWhoWait) {
    start();
    Client client(address_, 0, "127.0.0.2"), other(address_, 0, "127.0.0.3");
    send(client, get("/1") + get("/2"));
    const Delivered first = next();
    transport_.accepting = false;
    send(other, get("/other"));
    settle();
    transport_.accepting = true;
    respond(first, "");
    const Delivered second = next();
    EXPECT_EQ(second.head.substr(0, 11), "GET /other ");
    respond(second, "");
    respond(next(), "");
    EXPECT_EQ(answer(client, 2), ok("") + ok(""));
    answer(other);
}

}  // namespace
}  // namespace sluice
