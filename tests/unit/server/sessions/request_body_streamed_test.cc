// Bodies that their handlers read as they arrive.
#include "io/body_reader.h"
#include "request_body_driver.h"

namespace sluice::test {
namespace {

class StreamedBodyTest : public RequestBodyTest {
  protected:
    StreamedBodyTest() {
        stream_bodies_ = true;
        protocols_.http.body_stream_bytes = 64u << 10;
    }
    FakeTransport::Delivered next() {
        reader_.reset();
        return RequestBodyTest::next();
    }
    /// The bytes of the last request's body that have arrived; `last_` tells why there are no more.
    std::string read(const RequestFile& pipe) {
        if (!reader_) reader_.emplace(pipe.fd());
        std::string text;
        char buffer[BodyPipe::kPacketBytes];
        for (;;) {
            size_t bytes = 0;
            last_ = reader_->receive(buffer, bytes, status_);
            if (last_ != BodyPipe::Received::kBytes) return text;
            text.append(buffer, bytes);
        }
    }
    std::string read_to_end(const RequestFile& pipe) {
        std::string text;
        until([&] {
            text += read(pipe);
            return last_ != BodyPipe::Received::kNothing;
        });
        return text;
    }
    void want(const FakeTransport::Delivered& request, uint32_t number) {
        transport_.order(request.worker, for_connection(request.connection, command::WantBody{number}));
    }

    std::optional<BodyReader> reader_;
    BodyPipe::Received last_ = BodyPipe::Received::kNothing;
    uint16_t status_ = 0;
};

TEST_F(StreamedBodyTest, ALongBodyIsFollowedByTheNextRequest) {
    start();
    for (bool is_chunked : {false, true}) {
        Client client(address_);
        const std::string body = some_bytes(3u << 20);
        const std::string text =
            (is_chunked ? std::string(kChunkedHead) + chunked(body, 100'000) : head(body.size()) + body) +
            "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";
        size_t sent = client.send_some(text);
        const auto request = next();
        std::string got;
        EXPECT_TRUE(until([&] {
            sent += client.send_some(std::string_view(text).substr(sent));
            got += read(*request.file);
            return last_ != BodyPipe::Received::kNothing;
        }));
        EXPECT_EQ(last_, BodyPipe::Received::kEnd);
        EXPECT_TRUE(got == body);
        respond(request, "");
        EXPECT_TRUE(until(
            [&] { return (sent += client.send_some(std::string_view(text).substr(sent))) == text.size(); }));
        const auto following = next();
        EXPECT_EQ(following.head.substr(0, 9), "GET /next");
        respond(following, "");
    }
}

TEST_F(StreamedBodyTest, TheHandlerHasItBeforeItIsComplete) {
    start();
    Client client(address_);
    const std::string body = some_bytes(30'000);
    for (bool is_chunked : {false, true}) {
        const std::string text =
            is_chunked ? std::string(kChunkedHead) + chunked(body, 1000) : head(30'000) + body;
        send(client, text.substr(0, 10'000));
        auto request = next();
        ASSERT_TRUE(request.file && request.file->is_pipe());
        std::string got;
        ASSERT_TRUE(until([&] { return (got += read(*request.file)).size() > 8000; }));
        EXPECT_EQ(last_, BodyPipe::Received::kNothing);
        send(client, text.substr(10'000) + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
        got += read_to_end(*request.file);
        EXPECT_TRUE(got == body);
        EXPECT_EQ(last_, BodyPipe::Received::kEnd);
        EXPECT_EQ(status_, BodyPipe::kComplete);
        EXPECT_TRUE(nothing_comes()) << "the next request came before this one was answered";
        respond(request, "");
        const auto following = next();
        EXPECT_EQ(following.head.substr(0, 9), "GET /next");
        respond(following, "");
    }
}

TEST_F(StreamedBodyTest, ABodyThatIsThereAlreadyIsNoStream) {
    start();
    Client client(address_);
    send(client, head(5) + "hello");
    const auto request = next();
    EXPECT_FALSE(request.file);
    EXPECT_EQ(request.payload, "hello");
}

TEST_F(StreamedBodyTest, WhatTheHandlerDoesNotReadStaysWithTheClient) {
    start();
    Client client(address_);
    const std::string body = some_bytes(16u << 20);
    send(client, head(body.size()));
    const auto request = next();
    size_t sent = 0, idle = 0;
    while (idle < 50) {
        const size_t now = client.send_some(std::string_view(body).substr(sent));
        idle = now ? 0 : idle + 1;
        sent += now;
        reactor_->turn(1);
    }
    EXPECT_LT(sent, body.size());
    std::string got;
    // The loop waits while bytes come, for a slow machine takes its time for so many.
    for (size_t before = SIZE_MAX; last_ == BodyPipe::Received::kNothing && got.size() != before;) {
        before = got.size();
        until([&] {
            sent += client.send_some(std::string_view(body).substr(sent));
            got += read(*request.file);
            return last_ != BodyPipe::Received::kNothing;
        });
    }
    EXPECT_TRUE(got == body);
    EXPECT_EQ(last_, BodyPipe::Received::kEnd);
}

TEST_F(StreamedBodyTest, TheClientIsToldToGoOnWhenTheHandlerReads) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    const auto request = next();
    settle();
    EXPECT_EQ(client.received(), "");
    want(request, 2);
    want(request, 1);
    want(request, 1);
    expect_received(client, "HTTP/1.1 100 Continue\r\n\r\n");
    settle();
    EXPECT_EQ(client.received(), "") << "100 Continue came twice";
    send(client, "hello");
    EXPECT_EQ(read_to_end(*request.file), "hello");
    respond(request, "");
    EXPECT_TRUE(answered(client, "200 OK"));
}

TEST_F(StreamedBodyTest, AnAnswerWithoutGoingOnCloses) {
    start();
    Client client(address_);
    send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    respond(next(), "no");
    EXPECT_TRUE(answered(client, "Connection: close"));
    EXPECT_TRUE(ends(client));
}

TEST_F(StreamedBodyTest, WhatIsLeftIsDrainedUpToABound) {
    start();
    for (bool is_chunked : {false, true}) {
        Client client(address_);
        const std::string body = some_bytes(50'000);
        const std::string text =
            is_chunked ? std::string(kChunkedHead) + chunked(body, 1000) : head(50'000) + body;
        send(client, text.substr(0, 2000));
        respond(next(), "early");
        ASSERT_TRUE(answered(client, "early"));
        send(client, text.substr(2000) + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
        const auto following = next();
        EXPECT_EQ(following.head.substr(0, 9), "GET /next");
        respond(following, "");
    }
    Client known(address_);
    send(known, head(1u << 20) + "x");
    respond(next(), "early");
    EXPECT_TRUE(answered(known, "Connection: close"));
    EXPECT_TRUE(ends(known));
    Client unknown(address_);
    send(unknown, std::string(kChunkedHead));
    respond(next(), "early");
    ASSERT_TRUE(answered(unknown, "early"));
    const std::string more = chunked(some_bytes(1u << 20), 10'000);
    size_t sent = 0;
    EXPECT_TRUE(until([&] {
        sent += unknown.send_some(std::string_view(more).substr(sent));
        return unknown.ended();
    }));
}

TEST_F(StreamedBodyTest, ABodyThatStopsIsAnsweredWith408AndTheHandlerIsTold) {
    protocols_.http.body_ms = 50;
    start();
    Client client(address_);
    send(client, head(1000) + "x");
    const auto request = next();
    EXPECT_EQ(read_to_end(*request.file), "x");
    EXPECT_EQ(last_, BodyPipe::Received::kEnd);
    EXPECT_EQ(status_, 408);
    EXPECT_TRUE(answered(client, "408 Request Timeout"));
    EXPECT_TRUE(ends(client));
    EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    respond(request, "too late");
    settle();
    EXPECT_EQ(client.received().find("too late"), std::string::npos);
}

TEST_F(StreamedBodyTest, AHandlerThatDoesNotReadIsNotTheClientsFault) {
    protocols_.http.body_ms = 50;
    start();
    Client client(address_);
    const std::string body = some_bytes(8u << 20);
    send(client, head(body.size()));
    const auto request = next();
    size_t sent = 0;
    const uint64_t begun_ms = monotonic_ms();
    ASSERT_TRUE(until([&] {
        sent += client.send_some(std::string_view(body).substr(sent));
        return monotonic_ms() > begun_ms + 4 * protocols_.http.body_ms;
    }));
    EXPECT_EQ(client.received(), "");
    std::string got;
    // The loop waits while bytes come, for a slow machine takes its time for so many.
    for (size_t before = SIZE_MAX; last_ == BodyPipe::Received::kNothing && got.size() != before;) {
        before = got.size();
        until([&] {
            sent += client.send_some(std::string_view(body).substr(sent));
            got += read(*request.file);
            return last_ != BodyPipe::Received::kNothing;
        });
    }
    EXPECT_TRUE(got == body);
}

TEST_F(StreamedBodyTest, TheRequestHasADeadlineBesideThatOfItsBody) {
    protocols_.http.request_ms = 50;
    start();
    Client client(address_);
    send(client, head(1000) + "x");
    const auto request = next();
    EXPECT_TRUE(answered(client, "504 Gateway Timeout"));
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }));
    EXPECT_EQ(transport_.notified.front().kind, InboundKind::kCancel);
}

TEST_F(StreamedBodyTest, TheDeadlineOfTheRequestCountsFromTheLastOfTheBody) {
    protocols_.http.request_ms = 100;
    start();
    Client client(address_);
    send(client, head(1000) + "x");
    const auto request = next();
    const uint64_t begun_ms = monotonic_ms();
    std::string got;
    while (monotonic_ms() < begun_ms + 4 * protocols_.http.request_ms) {
        send(client, "y");
        got += read(*request.file);
        settle();
    }
    EXPECT_EQ(client.received(), "") << "the request ended while its body still came";
    EXPECT_TRUE(answered(client, "504 Gateway Timeout"))
        << "the request did not end after the last of its body";
}

TEST_F(StreamedBodyTest, AClientThatLeavesEndsIt) {
    start();
    for (bool at_once : {false, true}) {
        transport_.notified.clear();
        Client client(address_);
        send(client, head(1000) + "x");
        const auto request = next();
        at_once ? client.reset() : client.shut();
        EXPECT_EQ(read_to_end(*request.file), "x");
        EXPECT_TRUE(last_ == BodyPipe::Received::kLost || status_ == 499);
        ASSERT_TRUE(until([&] { return !transport_.notified.empty(); })) << "the handler was not cancelled";
        EXPECT_TRUE(is_empty());
        EXPECT_EQ(reactor_->workers().responses_awaited(0), 0u);
    }
}

TEST_F(StreamedBodyTest, AMalformedOrTooLongBodyIsRefusedInTheMiddle) {
    protocols_.http.body_bytes = 100'000;
    start();
    Client malformed(address_), too_long(address_);
    send(malformed, std::string(kChunkedHead) + "3\r\nabc\r\n");
    const auto first = next();
    send(malformed, "zz\r\n");
    EXPECT_EQ(read_to_end(*first.file), "abc");
    EXPECT_EQ(status_, 400);
    EXPECT_TRUE(answered(malformed, "400 Bad Request"));
    send(too_long, std::string(kChunkedHead));
    const auto second = next();
    std::string got;
    const std::string text = chunked(some_bytes(100'001), 10'000);
    size_t sent = 0;
    ASSERT_TRUE(until([&] {
        sent += too_long.send_some(std::string_view(text).substr(sent));
        got += read(*second.file);
        return last_ != BodyPipe::Received::kNothing;
    }));
    EXPECT_EQ(status_, 413);
    EXPECT_TRUE(answered(too_long, "413 "));
    Client announced(address_);
    send(announced, head(100'001));
    EXPECT_TRUE(answered(announced, "413 "));
}

TEST_F(StreamedBodyTest, ADeadWorkerIs502AndCloses) {
    start();
    Client client(address_);
    send(client, head(1000) + "x");
    const auto request = next();
    reactor_->on_lost(0, InboundKind::kRequest, request.connection, request.request);
    EXPECT_TRUE(answered(client, "502 Bad Gateway"));
    EXPECT_TRUE(answered(client, "Connection: close"));
    EXPECT_TRUE(ends(client));
}

TEST_F(StreamedBodyTest, AnAnswerMayBeginWhileTheBodyArrives) {
    start();
    Client client(address_);
    const std::string body = some_bytes(20'000);
    send(client, head(body.size()) + body.substr(0, 10));
    const auto request = next();
    const command::Respond response{.request = request.request, .status = 200, .last = false};
    transport_.order(request.worker, for_connection(request.connection, response, "first"));
    ASSERT_TRUE(answered(client, "first"));
    send(client, body.substr(10));
    EXPECT_TRUE(read_to_end(*request.file) == body);
    const command::BodyPart rest{.request = request.request};
    transport_.order(request.worker, for_connection(request.connection, rest, "second"));
    finish(request);
    ASSERT_TRUE(answered(client, "second"));
    send(client, "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(next().head.substr(0, 9), "GET /next");
}

TEST_F(StreamedBodyTest, WhoeverReadsNoMoreDoesNotHoldUpTheAnswer) {
    start();
    Client client(address_);
    send(client, head(100'000) + "x");
    auto request = next();
    request.file = {};
    transport_.delivered.clear();
    const std::string rest = some_bytes(99'999);
    size_t sent = 0;
    for (int i = 0; i < 50; ++i) {
        sent += client.send_some(std::string_view(rest).substr(sent));
        reactor_->turn(1);
    }
    respond(request, "done");
    ASSERT_TRUE(answered(client, "done"));
    send(client, std::string_view(rest).substr(sent));
    send(client, "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(next().head.substr(0, 9), "GET /next");
}

TEST_F(StreamedBodyTest, TheirNumberIsBounded) {
    limits_.body_streams = 1;
    start();
    Client first(address_), second(address_), third(address_);
    send(first, head(1000) + "x");
    const auto request = next();
    send(second, head(1000) + "x");
    EXPECT_TRUE(answered(second, "503 Service Unavailable"));
    EXPECT_TRUE(answered(second, "bodyStreams"));
    first.reset();
    EXPECT_TRUE(until([&] { return reactor_->table().find(request.connection) == nullptr; }));
    send(third, head(1000) + "x");
    EXPECT_TRUE(next().file);
}

TEST_F(StreamedBodyTest, ItWaitsForAWorker) {
    start();
    transport_.taking_files = false;
    Client client(address_);
    send(client, head(10) + "hello");
    EXPECT_TRUE(nothing_comes());
    send(client, "world");
    transport_.taking_files = true;
    const auto request = next();
    EXPECT_EQ(read_to_end(*request.file), "helloworld");
}

}  // namespace
}  // namespace sluice::test
