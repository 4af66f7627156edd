#include "server/sessions/http_exchange.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>

#include "http_driver.h"
#include "lives.h"

namespace sluice {
namespace {

using test::Client;
using test::without_date;

using HttpExchangeTest = test::HttpTest;

TEST_F(HttpExchangeTest, AResponseInParts) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "one", false));
    transport_.order(0, body_part(request, "two", false));
    transport_.order(0, body_part(request, "three", true), true);
    finish(request);
    const std::string expected =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
        "chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n";
    until([&] { return without_date(client.received()).size() >= expected.size(); });
    EXPECT_EQ(without_date(client.take()), expected);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(next().request, 2u) << "the connection goes on with its next request";
}

TEST_F(HttpExchangeTest, AResponseThatNobodyAskedForIsIgnored) {
    start();
    transport_.add_worker();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    Command wrong = response(request, "wrong", true);
    transport_.order(1, wrong);  // the request belongs to worker 0
    ++wrong.as<command::Respond>()->request;
    transport_.order(0, wrong);  // a command for another request has no effect
    --wrong.as<command::Respond>()->request;
    wrong.as<command::Respond>()->status = 99;
    transport_.order(0, wrong);
    transport_.order(0,
                     body_part(request, "wrong", true));  // a part of the body before the head has no effect
    wrong = response(request, "wrong", true);
    wrong.connection = request.connection + 1;
    transport_.order(0, wrong);
    respond(request, "right");
    respond(request, "twice");
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright");
    settle();
    EXPECT_EQ(client.received(), "");
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
}

TEST_F(HttpExchangeTest, HeadHasNoBody) {
    start();
    Client client(address_);
    send(client, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    until([&] { return !client.received().empty(); });
    EXPECT_EQ(without_date(client.take()), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
}

TEST_F(HttpExchangeTest, ErrorsAreWholeResponses) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\n\r\n");
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(without_date(client.take()),
              "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nvary: accept\r\n"
              "Content-Length: 48\r\nConnection: close\r\n\r\n"
              "400 Bad Request: The request has no Host field.\n");
}

TEST_F(HttpExchangeTest, ErrorsAreToldAsTheClientWantsIt) {
    error_pages_ = std::make_shared<http::ErrorPages>();
    error_pages_->json = {{0, "{\"own\":{status}}"}};
    error_pages_->html = {{413, "<p>too long"}};
    protocols_.http.body_bytes = 10;
    start();
    const std::string html = "Accept: text/html\r\n", json = "Accept: application/json\r\n";
    Client client(address_);
    // The worker dies; the format of the answer is known without the request's head.
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n" + json + "\r\n");
    auto request = next();
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    std::string got = answer(client);
    EXPECT_NE(got.find("\r\ncontent-type: application/problem+json\r\n"), got.npos) << got;
    EXPECT_TRUE(got.ends_with("\r\n\r\n{\"own\":502}")) << got;
    // The next request of the connection names no format.
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    request = next();
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    got = answer(client);
    EXPECT_TRUE(
        got.ends_with("\r\n\r\n502 Bad Gateway: the worker process died while it handled this request\n"))
        << got;
    send(client, "POST / HTTP/1.1\r\nHost: x\r\n" + html + "Content-Length: 11\r\n\r\nhello world");
    EXPECT_TRUE(ends(client));
    EXPECT_TRUE(client.received().ends_with("\r\n\r\n<p>too long")) << client.received();
    // The answer to HEAD has no body, but the body's length.
    Client other(address_);
    send(other, "HEAD / HTTP/1.1\r\nHost: x\r\n" + html + "Content-Length: 11\r\n\r\nhello world");
    EXPECT_TRUE(ends(other));
    EXPECT_TRUE(without_date(other.received()).ends_with("Content-Length: 11\r\nConnection: close\r\n\r\n"))
        << other.received();
}

TEST_F(HttpExchangeTest, WhatCannotBeReadWantsNothingOfWhatCameBefore) {
    start();
    Client client(address_);
    send(client, "HEAD / HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n");
    respond(next(), "");
    until([&] { return !client.received().empty(); });
    client.take();
    send(client, "rubbish\r\n\r\n");
    EXPECT_TRUE(ends(client));
    const std::string got = client.take();
    EXPECT_NE(got.find("content-type: text/plain"), got.npos) << got;
    EXPECT_NE(got.find("\r\n\r\n400 Bad Request: "), got.npos) << got;
}

TEST_F(HttpExchangeTest, AClientThatLeavesIsToldOnce) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    settle();
    EXPECT_TRUE(transport_.notified.empty());
    transport_.accepting = false;
    client.shut();
    settle();
    EXPECT_TRUE(transport_.notified.empty()) << "the ring has no room yet";
    client.reset();
    settle();
    transport_.accepting = true;
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }))
        << "the worker is told, although the connection has gone";
    settle();
    ASSERT_EQ(transport_.notified.size(), 1u);
    const auto& told = transport_.notified.front();
    EXPECT_EQ(told.kind, InboundKind::kCancel);
    EXPECT_EQ(told.worker, request.worker);
    EXPECT_EQ(told.connection, request.connection);
    EXPECT_EQ(told.request, request.request);
    EXPECT_EQ(told.reason, CancelReason::kClientGone);
    finish(request);
    EXPECT_TRUE(is_empty());
}

TEST_F(HttpExchangeTest, AClientThatLeavesBetweenRequestsCancelsNothing) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    answer(client);
    client.reset();
    EXPECT_TRUE(is_empty());
    EXPECT_TRUE(transport_.notified.empty());
}

TEST_F(HttpExchangeTest, ASiteMayGoOnWithoutItsClients) {
    cancel_on_disconnect_ = false;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    finish(next());
    client.reset();
    EXPECT_TRUE(is_empty());
    EXPECT_TRUE(transport_.notified.empty());
}

TEST_F(HttpExchangeTest, AnOverdueRequestIsAnsweredAndCancelled) {
    protocols_.http.request_ms = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    EXPECT_EQ(answer(client).substr(0, 28), "HTTP/1.1 504 Gateway Timeout");
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }));
    EXPECT_EQ(transport_.notified.front().request, request.request);
    EXPECT_EQ(transport_.notified.front().reason, CancelReason::kOverdue);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    // Commands of the handler have no effect after that, and the next request is served.
    respond(request, "late");
    settle();
    EXPECT_EQ(client.received(), "");
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "hello");
    EXPECT_EQ(answer(client), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
}

TEST_F(HttpExchangeTest, AResponseThatHasBegunIsNeverOverdue) {
    protocols_.http.request_ms = 30;
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "be", false));
    settle();
    const uint64_t over_ms = monotonic_ms() + 100;
    until([&] { return monotonic_ms() > over_ms; });
    transport_.order(0, body_part(request, "gun", true));
    finish(request);
    EXPECT_TRUE(until([&] { return client.received().ends_with("0\r\n\r\n"); })) << client.received();
    EXPECT_TRUE(transport_.notified.empty());
}

TEST_F(HttpExchangeTest, EarlyHintsComeBeforeTheResponse) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    const Command hints =
        for_connection(request.connection, command::Inform{request.request, "Link: </a>\r\n"});
    transport_.order(request.worker, hints, false);
    transport_.order(request.worker, response(request, "end", true), false);
    EXPECT_EQ(
        answer(client),
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend");
}

TEST_F(HttpExchangeTest, TrailersComeAfterChunksOnly) {
    start();
    for (const bool chunked : {true, false}) {
        Client client(address_);
        send(client, chunked ? "GET / HTTP/1.1\r\nHost: x\r\n\r\n" : "GET / HTTP/1.0\r\n\r\n");
        const auto request = next();
        transport_.order(request.worker, response(request, "a", false), false);
        const Command end = body_part(request, "", true, "X-Sum: 1\r\n");
        transport_.order(request.worker, end, false);
        const std::string wanted = chunked ? "1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n" : "\r\n\r\na";
        EXPECT_TRUE(until([&] { return client.received().ends_with(wanted); })) << client.received();
    }
}

TEST_F(HttpExchangeTest, AHandlerMayTakeItsTime) {
    protocols_.http.head_ms = protocols_.http.body_ms = protocols_.http.keep_alive_ms = 20;
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

TEST_F(HttpExchangeTest, ARequestWhoseWorkerDiedIsAnsweredWith502) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    EXPECT_EQ(answer(client).substr(0, 12), "HTTP/1.1 502");
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    respond(next(), "again");
    EXPECT_NE(answer(client).find("again"), std::string::npos);
}

TEST_F(HttpExchangeTest, AResponseThatIsOwedAfterTheHandlerIsAnsweredWith502) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    finish(next());
    settle();
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 1u);
    reactor_->from_workers().worker_gone(0);
    EXPECT_EQ(answer(client).substr(0, 12), "HTTP/1.1 502");
}

TEST_F(HttpExchangeTest, HalfAResponseEndsWithTheConnection) {
    start();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "half", false));
    until([&] { return client.received().find("half") != std::string::npos; });
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(client.take().find("0\r\n\r\n"), std::string::npos) << "a body that was cut off looks complete";
}

TEST_F(HttpExchangeTest, ALengthThatIsSaidToBeThereAndIsNotEndsTheConnection) {
    start();
    Client client(address_);
    send(client, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    auto request = next();
    Command unannounced = response(request, "hello", true);
    unannounced.as<command::Respond>()->has_length = true;
    transport_.order(0, unannounced);
    finish(request);
    EXPECT_EQ(answer(client).substr(0, 15), "HTTP/1.1 200 OK") << "that to HEAD has no body";
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    request = next();
    unannounced = response(request, "hello", true);
    unannounced.as<command::Respond>()->has_length = true;
    transport_.order(0, unannounced);
    EXPECT_TRUE(ends(client)) << "the client would wait for the end of the body";
}

TEST_F(HttpExchangeTest, ARequestWhoseResponseHasBegunDoesNotMove) {
    start();
    transport_.add_worker();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto request = next();
    transport_.order(0, response(request, "half", false));
    until([&] { return client.received().find("half") != std::string::npos; });
    transport_.ready[0] = false;
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection, 1), kNoConnectionLeft);
    EXPECT_TRUE(ends(client)) << "its worker has lied, and the rest never comes";
}

TEST_F(HttpExchangeTest, ARequestThatMovesIsAnsweredByItsNewWorker) {
    start();
    transport_.add_worker();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    auto request = next();
    transport_.ready[0] = false;
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection, 1), 1);
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    EXPECT_EQ(reactor_->workers().responses_awaited(1), 1u);
    reactor_->from_workers().worker_gone(0);
    request.worker = 1;
    respond(request, "moved");
    EXPECT_NE(answer(client).find("moved"), std::string::npos);
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection, 1), kNoConnectionLeft);
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection + 1, 1),
              kNoConnectionLeft);
}

TEST_F(HttpExchangeTest, ANewWorkerIsToldThatTheClientHasClosedItsSide) {
    start();
    transport_.add_worker();
    Client client(address_);
    send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    auto request = next();
    client.shut();
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }));
    transport_.notified.clear();
    transport_.ready[0] = false;
    EXPECT_EQ(reactor_->worker_for_moved(InboundKind::kRequest, request.connection, request.request), 1);
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); })) << "nobody tells it";
    const auto told = transport_.notified.front();
    EXPECT_EQ(told.worker, 1);
    EXPECT_EQ(told.request, request.request);
    EXPECT_EQ(told.reason, CancelReason::kClientGone);
    request.worker = 1;
    respond(request, "moved");
    EXPECT_NE(answer(client).find("moved"), std::string::npos);
}

class HttpFileTest : public HttpExchangeTest {
  protected:
    void SetUp() override {
        HttpExchangeTest::SetUp();
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
        command.as<command::Respond>()->file = {fd, offset, bytes};
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

// -- The state of an exchange

TEST(ExchangeState, IsReadAgainWhenItIsAnswered) {
    using State = ExchangeState;
    test::live({State::kReading, State::kAwaiting, State::kResponding, State::kAnswered, State::kReading,
                State::kAwaiting, State::kAnswered, State::kReading, State::kAnswered});
}

TEST(ExchangeStateDeathTest, RespondsOnceToWhatWasAsked) {
    using State = ExchangeState;
    EXPECT_DEATH(test::live({State::kReading, State::kResponding}), "no life");
    EXPECT_DEATH(test::live({State::kReading, State::kAwaiting, State::kResponding, State::kAwaiting}),
                 "no life");
    EXPECT_DEATH(test::live({State::kReading, State::kAwaiting, State::kReading}), "no life");
}

}  // namespace
}  // namespace sluice
