#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>

#include "reactor_driver.h"

namespace sluice {
namespace {

using test::Client;

/// An answer without its Date line, whose value is not the test's to know.
std::string without_date(std::string text) {
    for (size_t at; (at = text.find("Date: ")) != std::string::npos;)
        text.erase(at, text.find("\r\n", at) + 2 - at);
    return text;
}

class HttpSessionTest : public test::ReactorTest {
  protected:
    std::string answer(Client& client, size_t bodies = 1) {
        auto complete = [&] {
            const std::string& text = client.received();
            size_t at = 0;
            for (size_t i = 0; i < bodies; ++i) {
                const size_t head = text.find("\r\n\r\n", at);
                if (head == std::string::npos) return false;
                const size_t length = text.find("Content-Length: ", at);
                at = head + 4 + (length < head ? std::stoul(text.substr(length + 16)) : 0);
            }
            return text.size() >= at;
        };
        EXPECT_TRUE(until(complete)) << client.received();
        return without_date(client.take());
    }
    Command response(const test::FakeTransport::Delivered& request, std::string_view body, bool last) {
        Command command;
        command.kind = CommandKind::kRespond;
        command.code = 200;
        command.connection = request.connection;
        command.request = request.request;
        command.body = body;
        command.last = last;
        return command;
    }
};

TEST_F(HttpSessionTest, ARequestIsAnswered) {
    start();
    Client client(address_);
    send(client, "GET /path?a=b HTTP/1.1\r\nHost: x\r\nX-Field: Value\r\n\r\n");
    const auto request = next();
    EXPECT_EQ(request.kind, InboundKind::kRequest);
    EXPECT_EQ(request.endpoint, 0);
    EXPECT_EQ(request.head, "GET /path?a=b HTTP/1.1\r\nhost: x\r\nx-field: Value\r\n\r\n");
    EXPECT_EQ(request.payload, "");
    EXPECT_FALSE(request.in_slot);
    EXPECT_TRUE(is_open(request.connection));
    EXPECT_EQ(reactor_->responses_owed(0), 1u);
    respond(request, "hello");
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(reactor_->responses_owed(0), 0u);
    EXPECT_FALSE(client.ended());
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
        EXPECT_TRUE(nothing_comes()) << "the next one before this one is answered";
        respond(request, std::to_string(i));
        expected += "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::to_string(i);
    }
    EXPECT_EQ(answer(client, 5), expected);
}

TEST_F(HttpSessionTest, ABigBodyIsReceivedIntoItsRoom) {
    start();
    Client client(address_);
    std::string body(1'000'000, '\0');
    for (size_t i = 0; i < body.size(); ++i)
        body[i] = static_cast<char>(i * 7 + i / 251);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + body +
                     "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    EXPECT_TRUE(request.in_slot);
    EXPECT_TRUE(request.payload == body);
    respond(request, body, true);
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + body);
    EXPECT_EQ(next().head.substr(0, 9), "GET /next");
}

TEST_F(HttpSessionTest, AChunkedBody) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    settle();
    std::string body;
    for (int i = 0; i < 30; ++i) {
        const std::string chunk(1000, static_cast<char>('a' + i % 26));
        send(client, "3e8\r\n" + chunk + "\r\n");
        body += chunk;
        settle();
    }
    send(client, "0\r\n\r\n");
    const auto request = next();
    EXPECT_TRUE(request.payload == body);
    respond(request, "ok");
    answer(client);
}

TEST_F(HttpSessionTest, WithoutRoomItWaitsAndGoesOn) {
    start();
    Client client(address_);
    transport_.room_limit = 0;
    const std::string body(200'000, 'x');
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + body.substr(0, 1000));
    EXPECT_TRUE(nothing_comes());
    transport_.room_limit = 1;
    send(client, body.substr(1000));
    const auto request = next();
    EXPECT_TRUE(request.payload == body);
    respond(request, "ok");
    answer(client);
}

TEST_F(HttpSessionTest, WithoutRoomABodyThatCameWholeIsNotMixedUp) {
    // The body comes in one piece after its head: it stands in place in what was received, which does not
    // stay.
    start();
    Client first(address_), second(address_);
    transport_.room_limit = 0;
    const std::string body(20'000, 'x');
    send(first, "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
    settle();
    send(first, body);
    EXPECT_TRUE(nothing_comes());
    send(second, "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n" + std::string(5000, 'y'));
    EXPECT_EQ(next().payload, std::string(5000, 'y'));
    transport_.room_limit = SIZE_MAX;
    const auto request = next();
    EXPECT_EQ(request.payload.size(), body.size());
    EXPECT_TRUE(request.payload == body);
}

TEST_F(HttpSessionTest, WithoutAWorkerABodyThatCameWholeIsNotMixedUp) {
    for (size_t size : {500, 20'000}) {
        SCOPED_TRACE(size);
        transport_.accepting = true;
        start();
        Client first(address_), second(address_);
        const std::string body(size, 'x');
        send(first,
             "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n");
        settle();
        transport_.accepting = false;
        send(first, body);
        EXPECT_TRUE(nothing_comes());
        send(second,
             "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n" + std::string(30'000, 'y'));
        settle();
        transport_.accepting = true;
        std::string payloads[2];
        for (int i = 0; i < 2; ++i) {
            const auto request = next();
            payloads[request.head.find("/second") != std::string::npos] = request.payload;
        }
        EXPECT_TRUE(payloads[0] == body);
        EXPECT_TRUE(payloads[1] == std::string(30'000, 'y'));
    }
}

TEST_F(HttpSessionTest, AnUpgradeThatHasToWaitIsReadOnce) {
    // Its head comes in two pieces, and when it is complete no worker can take the connection.
    start();
    Client client(address_);
    const std::string head =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
        "13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    send(client, head.substr(0, 40));
    settle();
    transport_.bound_worker = kNoWorker;  // one that takes requests, none for connections
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

TEST_F(HttpSessionTest, StickyRequestsStayWithTheirWorker) {
    dispatch_ = Dispatch::kSticky;
    transport_.add_worker();
    start();
    transport_.bound = {1, 0};  // so that the second one is chosen
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

TEST_F(HttpSessionTest, AResponseInParts) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "one", false));
    Command part = response(request, "two", false);
    part.kind = CommandKind::kBody;
    transport_.order(0, part);
    part.body = "three";
    part.last = true;
    transport_.order(0, part, true);
    finish(request);
    const std::string expected =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
        "chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n";
    until([&] { return without_date(client.received()).size() >= expected.size(); });
    EXPECT_EQ(without_date(client.take()), expected);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(next().request, 2u) << "the connection goes on";
}

TEST_F(HttpSessionTest, AResponseThatNobodyAskedForIsIgnored) {
    start();
    transport_.add_worker();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    Command wrong = response(request, "wrong", true);
    transport_.order(1, wrong);  // another worker
    ++wrong.request;
    transport_.order(0, wrong);  // another request
    --wrong.request;
    wrong.code = 99;
    transport_.order(0, wrong);
    wrong.kind = CommandKind::kBody;
    transport_.order(0, wrong);  // before its head
    wrong.kind = CommandKind::kRespond;
    wrong.connection = request.connection + 1;
    transport_.order(0, wrong);
    respond(request, "right");
    respond(request, "twice");
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright");
    settle();
    EXPECT_EQ(client.received(), "");
    EXPECT_EQ(reactor_->responses_owed(0), 0u);
}

TEST_F(HttpSessionTest, HeadHasNoBody) {
    start();
    Client client(address_);
    send(client, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    until([&] { return !client.received().empty(); });
    EXPECT_EQ(without_date(client.take()), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
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

TEST_F(HttpSessionTest, AClientThatLeavesIsToldOnce) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    settle();
    EXPECT_TRUE(transport_.notified.empty());
    transport_.accepting = false;
    client.shut();
    settle();
    EXPECT_TRUE(transport_.notified.empty()) << "no room in the ring yet";
    client.reset();
    settle();
    transport_.accepting = true;
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }))
        << "said although the connection has gone";
    settle();
    ASSERT_EQ(transport_.notified.size(), 1u);
    const auto& told = transport_.notified.front();
    EXPECT_EQ(told.kind, InboundKind::kCancel);
    EXPECT_EQ(told.worker, request.worker);
    EXPECT_EQ(told.connection, request.connection);
    EXPECT_EQ(told.request, request.request);
    EXPECT_EQ(told.close_code, static_cast<uint16_t>(CancelReason::kClientGone));
    finish(request);
    EXPECT_TRUE(is_empty());
}

TEST_F(HttpSessionTest, AClientThatLeavesBetweenRequestsCancelsNothing) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    answer(client);
    client.reset();
    EXPECT_TRUE(is_empty());
    EXPECT_TRUE(transport_.notified.empty());
}

TEST_F(HttpSessionTest, ASiteMayGoOnWithoutItsClients) {
    cancel_on_disconnect_ = false;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    finish(next());
    client.reset();
    EXPECT_TRUE(is_empty());
    EXPECT_TRUE(transport_.notified.empty());
}

TEST_F(HttpSessionTest, AnOverdueRequestIsAnsweredAndCancelled) {
    request_ms_ = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    EXPECT_EQ(answer(client).substr(0, 28), "HTTP/1.1 504 Gateway Timeout");
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }));
    EXPECT_EQ(transport_.notified.front().request, request.request);
    EXPECT_EQ(transport_.notified.front().close_code, static_cast<uint16_t>(CancelReason::kOverdue));
    EXPECT_EQ(reactor_->responses_owed(0), 0u);
    // What its handler says after that is for nobody, and the next request is served.
    respond(request, "late");
    settle();
    EXPECT_EQ(client.received(), "");
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
}

TEST_F(HttpSessionTest, AResponseThatHasBegunIsNeverOverdue) {
    request_ms_ = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "be", false));
    settle();
    const uint64_t over_ms = monotonic_ms() + 100;
    until([&] { return monotonic_ms() > over_ms; });
    Command rest = response(request, "gun", true);
    rest.kind = CommandKind::kBody;
    transport_.order(0, rest);
    finish(request);
    EXPECT_TRUE(until([&] { return client.received().ends_with("0\r\n\r\n"); })) << client.received();
    EXPECT_TRUE(transport_.notified.empty());
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

TEST_F(HttpSessionTest, ABodyOverTheLimitIsRefused) {
    limits_.body_bytes = 100;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n");
    settle();
    EXPECT_EQ(client.received(), "") << "before any byte of the body has come";
    send(client, "x");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 413");
}

TEST_F(HttpSessionTest, ABodyOverTheLimitIsRefusedToThoseWhoAsk) {
    limits_.body_bytes = 100;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 413");
}

TEST_F(HttpSessionTest, EarlyHintsComeBeforeTheResponse) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    Command hints = response(request, "", false);
    hints.code = 103;
    hints.head = "Link: </a>\r\n";
    transport_.order(request.worker, hints, false);
    transport_.order(request.worker, response(request, "end", true), false);
    EXPECT_EQ(
        answer(client),
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend");
}

TEST_F(HttpSessionTest, TrailersComeAfterChunksOnly) {
    start();
    for (const bool chunked : {true, false}) {
        Client client(address_);
        send(client, chunked ? "GET / HTTP/1.1\r\nHost: x\r\n\r\n" : "GET / HTTP/1.0\r\n\r\n");
        const auto request = next();
        transport_.order(request.worker, response(request, "a", false), false);
        Command end = response(request, "", true);
        end.kind = CommandKind::kBody;
        end.head = "X-Sum: 1\r\n";
        transport_.order(request.worker, end, false);
        const std::string wanted = chunked ? "1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n" : "\r\n\r\na";
        EXPECT_TRUE(until([&] { return client.received().ends_with(wanted); })) << client.received();
    }
}

TEST_F(HttpSessionTest, ContinueIsSaidToThoseWhoWait) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    expect_received(client, "HTTP/1.1 100 Continue\r\n\r\n");
    send(client, "ab");
    EXPECT_EQ(next().payload, "ab");
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
    EXPECT_TRUE(is_empty()) << "though its handler has not ended";
    EXPECT_EQ(reactor_->responses_owed(0), 0u);
    EXPECT_FALSE(is_open(request.connection));
    respond(request, "to nobody");
    settle();
}

// -- Deadlines

TEST_F(HttpSessionTest, ASilentClientIsClosed) {
    limits_.head_ms = 30;
    start();
    Client client(address_);
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take(), "");
}

TEST_F(HttpSessionTest, AHeadThatDoesNotEndIsAnsweredWith408) {
    limits_.head_ms = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\nX: ");
    // Single bytes do not help it.
    EXPECT_TRUE(until([&] {
        client.send_some("y");
        return client.ended();
    }));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 408");
}

TEST_F(HttpSessionTest, ABodyThatStopsIsAnsweredWith408) {
    limits_.body_ms = 30;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().substr(0, 12), "HTTP/1.1 408");
    client.shut();
    EXPECT_TRUE(is_empty());
    EXPECT_EQ(transport_.rooms(), 0u);
}

TEST_F(HttpSessionTest, ABodyThatComesSlowlyIsReceived) {
    // Progress counts, not the whole time: the deadline is for the next bytes.
    limits_.body_ms = 200;
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
    const uint64_t began_ms = monotonic_ms();
    size_t sent = 0;
    until([&] {
        const size_t due = std::min<size_t>((monotonic_ms() - began_ms) * 20'000 / 700, 20'000);
        if (due > sent) sent += client.send_some(std::string(due - sent, 'x'));
        return sent == 20'000 || client.ended();
    });
    EXPECT_EQ(client.take(), "");
    EXPECT_EQ(next().payload, std::string(20'000, 'x'));
}

TEST_F(HttpSessionTest, AnIdleConnectionIsClosed) {
    limits_.keep_alive_ms = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "ok");
    EXPECT_TRUE(ends(client));
    EXPECT_NE(client.take().find("ok"), std::string::npos);
}

TEST_F(HttpSessionTest, AHandlerMayTakeItsTime) {
    limits_.head_ms = limits_.body_ms = limits_.keep_alive_ms = 20;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    const uint64_t began_ms = monotonic_ms();
    until([&] { return monotonic_ms() > began_ms + 100; });
    EXPECT_FALSE(client.ended());
    respond(request, "late");
    EXPECT_NE(answer(client).find("late"), std::string::npos);
}

TEST_F(HttpSessionTest, AClientThatDoesNotReadIsClosed) {
    limits_.write_ms = 30;
    start();
    Client client(address_, 4096);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    respond(request, std::string(20'000'000, 'x'));
    EXPECT_TRUE(until([&] { return layout_.connection(request.connection).queued_bytes > 0; }));
    EXPECT_TRUE(is_empty());
}

// -- Workers

TEST_F(HttpSessionTest, ARequestWhoseWorkerDiedIsAnsweredWith502) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    EXPECT_EQ(answer(client).substr(0, 12), "HTTP/1.1 502");
    EXPECT_EQ(reactor_->responses_owed(0), 0u);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "again");
    EXPECT_NE(answer(client).find("again"), std::string::npos);
}

TEST_F(HttpSessionTest, AResponseThatIsOwedAfterTheHandlerIsAnsweredWith502) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    finish(next());
    settle();
    EXPECT_EQ(reactor_->responses_owed(0), 1u);
    reactor_->worker_gone(0);
    EXPECT_EQ(answer(client).substr(0, 12), "HTTP/1.1 502");
}

TEST_F(HttpSessionTest, HalfAResponseEndsWithTheConnection) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "half", false));
    until([&] { return client.received().find("half") != std::string::npos; });
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().find("0\r\n\r\n"), std::string::npos) << "it looks complete";
}

TEST_F(HttpSessionTest, ARequestThatMovesIsAnsweredByItsNewWorker) {
    start();
    transport_.add_worker();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    auto request = next();
    transport_.ready[0] = false;
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection), 1);
    EXPECT_EQ(reactor_->responses_owed(0), 0u);
    EXPECT_EQ(reactor_->responses_owed(1), 1u);
    reactor_->worker_gone(0);
    request.worker = 1;
    respond(request, "moved");
    EXPECT_NE(answer(client).find("moved"), std::string::npos);
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection), kNoConnectionLeft);
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection + 1), kNoConnectionLeft);
}

// -- Files

class HttpFileTest : public HttpSessionTest {
  protected:
    void SetUp() override {
        HttpSessionTest::SetUp();
        file_.reset(memfd_create("test", MFD_CLOEXEC));
        content_.assign(3 << 20, '.');
        for (size_t i = 0; i + 8 < content_.size(); i += 1000)
            content_.replace(i, 8, std::to_string(10'000'000 + i));
        ASSERT_EQ(write(file_.get(), content_.data(), content_.size()),
                  static_cast<ssize_t>(content_.size()));
    }
    void respond_with_file(const test::FakeTransport::Delivered& request, int fd, uint64_t offset,
                           uint64_t bytes) {
        Command command = response(request, "", true);
        command.file = fd;
        command.file_offset = offset;
        command.file_bytes = bytes;
        transport_.order(request.worker, command);
        finish(request);
    }
    std::string all_of(Client& client, size_t bytes) {
        until([&] { return client.received().size() >= bytes; });
        return client.take();
    }

    UniqueFd file_;
    std::string content_;
};

TEST_F(HttpFileTest, AFileIsSentWithItsLength) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond_with_file(next(), file_.get(), 10, content_.size() - 10);
    const std::string all = all_of(client, content_.size() - 10);
    EXPECT_NE(all.find("Content-Length: " + std::to_string(content_.size() - 10) + "\r\n"), std::string::npos)
        << all.substr(0, 300);
    EXPECT_TRUE(all.ends_with("\r\n\r\n" + content_.substr(10)));
}

TEST_F(HttpFileTest, TheNextRequestWaitsUntilTheFileIsSent) {
    start();
    Client client(address_, 4096);
    send(client, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    respond_with_file(next(), file_.get(), 0, content_.size());
    EXPECT_TRUE(nothing_comes());
    size_t got = 0;
    until([&] {
        got += client.take().size();
        return got >= content_.size();
    });
    respond(next(), "second");
    EXPECT_TRUE(all_of(client, 100).ends_with("second"));
}

TEST_F(HttpFileTest, WhatIsNoFileIsNotSent) {
    start();
    const UniqueFd folder(open("/", O_RDONLY | O_CLOEXEC));
    for (const int fd : {-1, folder.get()}) {
        Client client(address_);
        send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        respond_with_file(next(), fd, 0, 10);
        EXPECT_EQ(answer(client).substr(0, 12), "HTTP/1.1 503");
    }
}

TEST_F(HttpFileTest, ManyFilesAtOnceShareATurn) {
    start();
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 30; ++i) {
        clients.push_back(std::make_unique<Client>(address_));
        send(*clients.back(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        respond_with_file(next(), file_.get(), 0, content_.size());
    }
    std::vector<std::string> got(clients.size());
    EXPECT_TRUE(until([&] {
        bool all = true;
        for (size_t i = 0; i < clients.size(); ++i) {
            got[i] += clients[i]->take();
            all &= got[i].size() > content_.size();
        }
        return all;
    }));
    for (const std::string& one : got)
        EXPECT_TRUE(one.ends_with(content_));
}

}  // namespace
}  // namespace sluice
