#include <gtest/gtest.h>

#include "http2_driver.h"
#include "lives.h"
#include "reactor_driver.h"
#include "server/sessions/http2_carrier.h"

namespace sluice {
namespace {

using http2::ErrorCode;
using test::Client;
using test::h2::Frame;
namespace h2 = test::h2;

class Http2SessionTest : public test::ReactorTest {
  protected:
    /// Sends the beginning of a client's connection, and takes the server's settings.
    void greet(Client& client, std::string_view more = {}) { send(client, h2::start() + std::string(more)); }
    /// The next frame of this type; frames before it are thrown away.
    Frame next_frame(Client& client, uint8_t type) {
        Frame found{};
        found.type = 255;
        EXPECT_TRUE(until([&] {
            wire_ += client.take();
            for (Frame& frame : h2::take_frames(wire_))
                frames_.push_back(std::move(frame));
            while (!frames_.empty() && found.type == 255) {
                if (frames_.front().type == type) found = frames_.front();
                frames_.erase(frames_.begin());
            }
            return found.type != 255;
        })) << "no frame of type "
            << int{type};
        return found;
    }
    bool goodbye(Client& client, ErrorCode code) {
        return next_frame(client, h2::kGoaway).code() == static_cast<uint32_t>(code) && ends(client);
    }
    Command response(const test::FakeTransport::Delivered& request, std::string_view body, bool last) {
        return for_connection(request.connection,
                              command::Respond{.request = request.request, .status = 200, .last = last},
                              body);
    }
    std::string websocket_head(uint32_t stream, std::string_view path = "/ws") {
        return h2::frame(h2::kHeaders, h2::kEndHeaders, stream,
                         h2::block({{":method", "CONNECT"},
                                    {":protocol", "websocket"},
                                    {":scheme", "http"},
                                    {":path", path},
                                    {":authority", "a"},
                                    {"sec-websocket-version", "13"}}));
    }

    std::string wire_;
    std::vector<Frame> frames_;
};

/// Of a crowd that sends many frames at once, and of one client that sends one request.
class Http2CrowdTest : public Http2SessionTest {
  protected:
    static constexpr size_t kCrowd = 30;

    uint64_t received() const { return layout_.reactor(0).bytes_received.load(); }
    /// Each of the crowd sends this twice, after its `opening`; when it has come again, with the one's
    /// request behind it, that is delivered first.
    void expect_one_before_crowd(const std::string& opening, const std::string& frames) {
        start();
        std::vector<std::unique_ptr<Client>> crowd;
        for (size_t i = 0; i < kCrowd; ++i)
            greet(*crowd.emplace_back(std::make_unique<Client>(address_)), opening + frames);
        Client one(address_);
        greet(one);
        const uint64_t before =
            kCrowd * (h2::start().size() + opening.size() + frames.size()) + h2::start().size();
        EXPECT_TRUE(until([&] { return received() == before; }));
        transport_.delivered.clear();
        for (const auto& client : crowd)
            EXPECT_EQ(client->send_some(frames), frames.size());
        const std::string request = h2::get(1, "/a");
        one.send_some(request);
        reactor_->turn(0);
        EXPECT_EQ(transport_.delivered.size(), 1u);
        const uint64_t all = before + kCrowd * frames.size() + request.size();
        EXPECT_LT(received(), all) << "the crowd waits for the next turns";
        EXPECT_TRUE(until([&] { return received() == all; })) << "and is not forgotten";
    }
};

TEST_F(Http2CrowdTest, WhoSendsOneRequestWaitsForNoCrowd) {
    std::string frames;
    for (int i = 0; i < 1000; ++i)
        frames += h2::frame(h2::kWindowUpdate, 0, 0, std::string("\0\0\0\1", 4));
    expect_one_before_crowd({}, frames);
}

TEST_F(Http2CrowdTest, NorForOneThatSendsFramesOfWebSockets) {
    std::string pings;
    for (int i = 0; i < 1000; ++i)
        pings += std::string("\x89\x80\0\0\0\0", 6);
    expect_one_before_crowd(websocket_head(1), h2::frame(h2::kData, 0, 1, pings));
}

TEST_F(Http2SessionTest, ARequestIsAnsweredOnItsStream) {
    start();
    Client client(address_);
    greet(client, h2::get(1, "/a"));
    auto request = next();
    EXPECT_EQ(request.kind, InboundKind::kRequest);
    EXPECT_TRUE(request.head.starts_with("GET /a HTTP/1.1\r\nhost: a.example\r\n"));
    respond(request, "hello");
    EXPECT_EQ(next_frame(client, h2::kHeaders).stream, 1u);
    const Frame data = next_frame(client, h2::kData);
    EXPECT_EQ(data.payload, "hello");
    EXPECT_EQ(data.flags, h2::kEndStream);
    EXPECT_TRUE(until([&] { return !is_open(request.connection); }));
}

TEST_F(Http2SessionTest, StreamsAreAnsweredInAnyOrder) {
    start();
    Client client(address_);
    greet(client, h2::get(1) + h2::get(3));
    auto first = next(), second = next();
    EXPECT_NE(first.connection, second.connection);
    respond(second, "second");
    EXPECT_EQ(next_frame(client, h2::kData).stream, 3u);
    respond(first, "first");
    EXPECT_EQ(next_frame(client, h2::kData).stream, 1u);
}

TEST_F(Http2SessionTest, ABodyGoesToItsExtent) {
    start();
    Client client(address_);
    const std::string body(20000, 'x');
    greet(client, h2::frame(h2::kHeaders, h2::kEndHeaders, 1,
                            h2::request_block("POST", "/") + h2::block({{"content-length", "20000"}})));
    send(client, h2::frame(h2::kData, 0, 1, body.substr(0, 16384)) +
                     h2::frame(h2::kData, h2::kEndStream, 1, body.substr(16384)));
    auto request = next();
    EXPECT_TRUE(request.in_extent);
    EXPECT_EQ(request.payload, body);
    respond(request, "");
    next_frame(client, h2::kHeaders);
}

TEST_F(Http2SessionTest, WhatFindsNoMemoryIsNotCredited) {
    start();
    transport_.room_limit = 0;
    Client client(address_);
    // Until the settings are acknowledged, the window is that of RFC 9113 section 6.9.2: 65,535 bytes.
    greet(client, h2::frame(h2::kSettings, h2::kAck, 0) + h2::post(1));
    for (int i = 0; i < 6; ++i)
        send(client, h2::frame(h2::kData, 0, 1, std::string(16000, 'x')));
    settle();
    wire_ += client.take();
    for (const Frame& frame : h2::take_frames(wire_)) {
        // The server may have taken as much of the body as the heap holds.
        if (frame.type == h2::kWindowUpdate && frame.stream == 1) {
            ADD_FAILURE() << "the window was opened though nothing could be taken";
        }
    }
    transport_.room_limit = SIZE_MAX;
    EXPECT_EQ(next_frame(client, h2::kWindowUpdate).stream, 1u);
    send(client, h2::frame(h2::kData, h2::kEndStream, 1));
    auto request = next();
    EXPECT_EQ(request.payload, std::string(96000, 'x'));
    respond(request, "");
}

TEST_F(Http2SessionTest, ARequestWaitsForAWorker) {
    start();
    transport_.accepting = false;
    Client client(address_);
    greet(client, h2::get(1));
    EXPECT_TRUE(nothing_comes());
    transport_.accepting = true;
    respond(next(), "hello");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "hello");
}

TEST_F(Http2SessionTest, ARequestThatNoWorkerTakesIsAnswered503) {
    protocols_.http.head_ms = 10;
    protocols_.http.request_ms = 50;
    for (const bool all_are_dead : {false, true}) {
        start();
        transport_.accepting = false;
        transport_.ready[0] = !all_are_dead;
        Client client(address_);
        const uint64_t begun_ms = monotonic_ms();
        greet(client, h2::get(1));
        next_frame(client, h2::kHeaders);
        EXPECT_NE(next_frame(client, h2::kData).payload.find("no worker"), std::string::npos);
        EXPECT_GE(monotonic_ms() - begun_ms, 49u);
    }
}

TEST_F(Http2SessionTest, AResetCancelsTheHandler) {
    start();
    Client client(address_);
    greet(client, h2::get(1) + h2::get(3));
    auto request = next(), other = next();
    send(client, h2::frame(h2::kReset, 0, 1, h2::u32(8)));
    ASSERT_TRUE(until([&] { return !transport_.notified.empty(); }));
    EXPECT_EQ(transport_.notified[0].connection, request.connection);
    respond(request, "too late");
    respond(other, "in time");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "in time");
}

TEST_F(Http2SessionTest, AConnectionTakesItsStreamsAlong) {
    start();
    Client client(address_);
    greet(client, h2::get(1) + h2::post(3) + websocket_head(5));
    next();
    auto opened = next();
    EXPECT_EQ(opened.kind, InboundKind::kOpen);
    finish(opened);
    client.reset();
    EXPECT_EQ(next().kind, InboundKind::kClose);
    EXPECT_TRUE(until([&] { return !transport_.notified.empty(); }));
    finish(opened);
    EXPECT_TRUE(is_empty());
}

TEST_F(Http2SessionTest, AStreamedResponseComesAsItIsWritten) {
    start();
    Client client(address_);
    greet(client, h2::get(1));
    auto request = next();
    transport_.order(request.worker, response(request, "one", false));
    EXPECT_EQ(next_frame(client, h2::kData).payload, "one");
    const Command last = for_connection(
        request.connection,
        command::BodyPart{.request = request.request, .last = true, .trailers = "x-sum: 1\r\n"}, "two");
    transport_.order(request.worker, last);
    finish(request);
    EXPECT_EQ(next_frame(client, h2::kData).payload, "two");
    EXPECT_EQ(next_frame(client, h2::kHeaders).flags, h2::kEndHeaders | h2::kEndStream);
}

TEST_F(Http2SessionTest, AnotherWorkersAnswerIsNothing) {
    transport_.add_worker();
    start();
    Client client(address_);
    greet(client, h2::get(1));
    auto request = next();
    transport_.order(1, response(request, "mine", true));
    respond(request, "yours");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "yours");
}

TEST_F(Http2SessionTest, AWorkerThatDiesIsAnsweredForOrReset) {
    start();
    Client client(address_);
    greet(client, h2::get(1) + h2::get(3));
    auto first = next(), second = next();
    transport_.order(second.worker, response(second, "half", false));
    EXPECT_EQ(next_frame(client, h2::kData).payload, "half");
    reactor_->on_lost(0, InboundKind::kRequest, first.connection, first.request);
    EXPECT_EQ(next_frame(client, h2::kHeaders).stream, 1u);
    reactor_->on_lost(0, InboundKind::kRequest, second.connection, second.request);
    const Frame reset = next_frame(client, h2::kReset);
    EXPECT_EQ(reset.stream, 3u);
    EXPECT_EQ(reset.code(), static_cast<uint32_t>(ErrorCode::kInternal));
}

TEST_F(Http2SessionTest, ErrorsAreToldAsTheClientWantsIt) {
    error_pages_ = std::make_shared<http::ErrorPages>();
    error_pages_->html = {{404, "<p>not here"}};
    has_handler_ = false;
    start();
    Client client(address_);
    const auto asking = [](uint32_t stream, std::string_view method) {
        return h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, stream,
                         h2::block({{":method", method},
                                    {":scheme", "http"},
                                    {":path", "/"},
                                    {":authority", "a"},
                                    {"accept", "text/html"}}));
    };
    greet(client, asking(1, "GET"));
    EXPECT_EQ(next_frame(client, h2::kData).payload, "<p>not here");
    send(client, asking(3, "HEAD"));
    const Frame head = next_frame(client, h2::kHeaders);
    EXPECT_EQ(head.stream, 3u);
    EXPECT_EQ(head.flags, h2::kEndHeaders | h2::kEndStream);
}

TEST_F(Http2SessionTest, AClientThatAsksAndDoesNotReadGetsNoMoreStreams) {
    limits_.sending.queued_bytes = 65536;
    start();
    Client client(address_);
    greet(client, h2::get(1));
    auto request = next();
    respond(request, std::string(300'000, 'x'));  // beyond the client's window
    next_frame(client, h2::kData);
    send(client, h2::get(3));
    const Frame reset = next_frame(client, h2::kReset);
    EXPECT_EQ(reset.stream, 3u);
    EXPECT_EQ(reset.code(), static_cast<uint32_t>(ErrorCode::kRefusedStream));
}

TEST_F(Http2SessionTest, AStreamThatTheClientDoesNotReadIsReset) {
    limits_.sending.write_ms = 50;
    start();
    Client client(address_);
    greet(client, h2::get(1));
    respond(next(), std::string(100'000, 'x'));
    EXPECT_EQ(next_frame(client, h2::kReset).stream, 1u);
    send(client, h2::get(3));
    respond(next(), "");
    EXPECT_EQ(next_frame(client, h2::kHeaders).stream, 3u);
}

TEST_F(Http2SessionTest, AHeadThatDoesNotArriveEndsTheConnection) {
    protocols_.http.head_ms = 50;
    start();
    Client client(address_);
    greet(client, h2::frame(h2::kHeaders, h2::kEndStream, 1, h2::request_block("GET", "/")));
    EXPECT_TRUE(goodbye(client, ErrorCode::kEnhanceYourCalm));
}

TEST_F(Http2SessionTest, SettingsThatDoNotArriveEndTheConnection) {
    protocols_.http.head_ms = 50;
    start();
    Client client(address_);
    send(client, http2::kPreface);
    EXPECT_TRUE(goodbye(client, ErrorCode::kEnhanceYourCalm));
}

TEST_F(Http2SessionTest, ABodyThatDoesNotArriveIsAnswered408) {
    protocols_.http.body_ms = 50;
    start();
    Client client(address_);
    greet(client, h2::post(1) + h2::frame(h2::kData, 0, 1, "some"));
    next_frame(client, h2::kHeaders);
    EXPECT_NE(next_frame(client, h2::kData).payload.find("did not arrive in time"), std::string::npos);
    EXPECT_EQ(next_frame(client, h2::kReset).code(), static_cast<uint32_t>(ErrorCode::kNone));
}

TEST_F(Http2SessionTest, AnIdleConnectionEnds) {
    protocols_.http.keep_alive_ms = 50;
    start();
    Client client(address_);
    greet(client, h2::get(1));
    auto request = next();
    settle();
    respond(request, "hello");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "hello");
    EXPECT_TRUE(goodbye(client, ErrorCode::kNone));
    EXPECT_TRUE(is_empty());
}

TEST_F(Http2SessionTest, AWebSocketOnAStreamIsAConnectionOfItsOwn) {
    start();
    Client client(address_);
    greet(client, websocket_head(1) + h2::get(3));
    auto opened = next();
    EXPECT_EQ(opened.kind, InboundKind::kOpen);
    EXPECT_EQ(opened.endpoint, 1);
    EXPECT_TRUE(is_open(opened.connection));
    respond(next(), "beside");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "beside");
    const std::string masked = std::string("\x81\x82") + std::string(4, '\0') + "hi";
    send(client,
         h2::frame(h2::kData, 0, 1, masked.substr(0, 3)) + h2::frame(h2::kData, 0, 1, masked.substr(3)));
    auto message = next();
    EXPECT_EQ(message.payload, "hi");
    EXPECT_EQ(message.connection, opened.connection);
    transport_.order(0, for_connection(message.connection, command::Send{}, "ho"));
    EXPECT_EQ(next_frame(client, h2::kData).payload, "\x81\x02ho");
    send(client, h2::frame(h2::kData, h2::kEndStream, 1));
    auto closed = next();
    EXPECT_EQ(closed.kind, InboundKind::kClose);
    EXPECT_EQ(closed.close_code, 1006);
    EXPECT_EQ(next_frame(client, h2::kReset).code(), static_cast<uint32_t>(ErrorCode::kCancel));
}

TEST_F(Http2SessionTest, AWebSocketOnAStreamAnswersWhatCameBeforeAWrongFrame) {
    start();
    Client client(address_);
    greet(client, websocket_head(1));
    finish(next());
    const std::string masked = std::string("\x81\x82") + std::string(4, '\0') + "hi";
    send(client, h2::frame(h2::kData, 0, 1, masked + "\x81\x02no"));
    auto message = next();
    settle();
    transport_.order(0, for_connection(message.connection, command::Send{}, "ho"));
    finish(message);
    std::string data = next_frame(client, h2::kData).payload;
    if (data.size() <= 4) data += next_frame(client, h2::kData).payload;
    EXPECT_EQ(data.substr(0, 5), "\x81\x02ho\x88");
    EXPECT_EQ(data.substr(6, 2), "\x03\xea") << "the close code is 1002";
    auto closed = next();
    EXPECT_EQ(closed.kind, InboundKind::kClose);
    EXPECT_EQ(closed.close_code, 1002);
}

TEST_F(Http2SessionTest, AClientThatSaysGoodbyeGetsItsAnswersAndThenTheEnd) {
    start();
    Client client(address_);
    greet(client, h2::get(1));
    auto request = next();
    send(client,
         h2::frame(h2::kGoaway, 0, 0, h2::u32(0) + h2::u32(0)) + h2::frame(h2::kPing, 0, 0, "question"));
    EXPECT_EQ(next_frame(client, h2::kPing).payload, "question");
    settle();
    EXPECT_FALSE(client.ended());
    respond(request, "still");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "still");
    EXPECT_TRUE(goodbye(client, ErrorCode::kNone));
    EXPECT_TRUE(is_empty());
}

TEST_F(Http2SessionTest, AClientThatSaysGoodbyeAndAwaitsNothingIsClosedAtOnce) {
    start();
    Client client(address_);
    greet(client, h2::get(1));
    respond(next(), "hello");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "hello");
    send(client, h2::frame(h2::kGoaway, 0, 0, h2::u32(0) + h2::u32(0)));
    EXPECT_TRUE(goodbye(client, ErrorCode::kNone));
    EXPECT_TRUE(is_empty());
}

TEST_F(Http2SessionTest, AServerThatGoesDownLetsStreamsEnd) {
    start();
    Client client(address_);
    greet(client, h2::get(1));
    auto request = next();
    reactor_->begin_shutdown();
    EXPECT_EQ(next_frame(client, h2::kGoaway).code(), 0u);
    respond(request, "still");
    EXPECT_EQ(next_frame(client, h2::kData).payload, "still");
    EXPECT_TRUE(ends(client));
    EXPECT_TRUE(is_empty());
}

// -- Its state

TEST(Http2State, AnnouncesItsEnd) {
    using State = Http2State;
    test::live({State::kServing, State::kEnded});
    test::live({State::kServing, State::kAnnounced, State::kEnding, State::kEnded});
    test::live({State::kServing, State::kAnnounced, State::kEnded});
}

TEST(Http2StateDeathTest, TakesNoStreamsAfterItsEndWasAnnounced) {
    using State = Http2State;
    EXPECT_DEATH(test::live({State::kServing, State::kEnding}), "no life");
    EXPECT_DEATH(test::live({State::kServing, State::kAnnounced, State::kServing}), "no life");
}

}  // namespace
}  // namespace sluice
