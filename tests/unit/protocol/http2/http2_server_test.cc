#include "protocol/http2/http2_server.h"

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace sluice {
namespace {

using http2::ErrorCode;
using test::h2::Frame;
namespace h2 = test::h2;

class Http2ServerTest : public testing::Test {
  protected:
    void begin() {
        server_ = std::make_unique<http2::Server>(limits_, parser_, notes_);
        EXPECT_TRUE(receive(h2::start()));
        frames();
    }
    bool receive(std::string bytes) { return server_->receive(bytes, now_ms_); }
    /// The frames that are to be sent.
    std::vector<Frame> frames() {
        for (;;) {
            const std::string_view bytes = server_->next_output();
            if (bytes.empty()) break;
            notes_.wire += bytes;
        }
        return h2::take_frames(notes_.wire);
    }
    /// The code of the GOAWAY that is to be sent; -1: there is none.
    int64_t goodbye() {
        for (const Frame& frame : frames()) {
            if (frame.type == h2::kGoaway) return frame.code();
        }
        return -1;
    }
    void expect_calm() { EXPECT_EQ(goodbye(), static_cast<int64_t>(ErrorCode::kEnhanceYourCalm)); }

    http2::Limits limits_;
    http1::HeadParser parser_;
    test::Http2Notes notes_;
    std::unique_ptr<http2::Server> server_;
    uint64_t now_ms_ = 1'000'000;
};

TEST_F(Http2ServerTest, TellsARequestAsHttp1WouldHaveHadIt) {
    begin();
    const std::string block =
        h2::request_block("GET", "/a?b") + h2::block({{"cookie", "a=1"}, {"x-test", "y"}, {"cookie", "b=2"}});
    EXPECT_TRUE(receive(h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, 1, block)));
    EXPECT_EQ(notes_.said, (std::vector<std::string>{
                               "request 1 GET /a?b host=a.example x-test=y cookie=a=1; b=2", "end 1"}));
}

TEST_F(Http2ServerTest, ReadsTheSameHoweverItIsCut) {
    const std::string bytes = h2::start() + h2::post(1, "/x") + h2::frame(h2::kData, 0, 1, "bo") +
                              h2::frame(h2::kData, h2::kEndStream, 1, "dy") + h2::get(3);
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
        test::Http2Notes notes;
        http2::Server server(limits_, parser_, notes);
        std::string first = bytes.substr(0, cut), second = bytes.substr(cut);
        EXPECT_TRUE(server.receive(first, now_ms_));
        EXPECT_TRUE(server.receive(second, now_ms_));
        EXPECT_EQ(notes.said, (std::vector<std::string>{"request 1 POST /x host=a.example", "end 1",
                                                        "request 3 GET / host=a.example", "end 3"}));
        EXPECT_EQ(notes.received[1], "body");
    }
}

TEST_F(Http2ServerTest, SendsAResponseWithBodyAndTrailers) {
    begin();
    receive(h2::get(1));
    server_->respond(1, 200, "now", "X-One: 1\r\nConnection: close\r\n", std::nullopt, true);
    server_->set_trailers(1, "X-Sum: 2\r\n");
    notes_.bodies[1] = "body";
    std::vector<Frame> sent = frames();
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_EQ(sent[0].type, h2::kHeaders);
    EXPECT_EQ(sent[1].payload, "body");
    EXPECT_TRUE(frames().empty());
    notes_.complete[1] = true;
    server_->resume(1);
    sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].type, h2::kHeaders);
    EXPECT_EQ(sent[0].flags, h2::kEndHeaders | h2::kEndStream);
    EXPECT_EQ(notes_.said.back(), "closed 1");
}

TEST_F(Http2ServerTest, IsOverWhenTheClientHasSaidGoodbyeAndItsStreamsHaveEnded) {
    begin();
    receive(h2::get(1));
    EXPECT_TRUE(receive(h2::frame(h2::kGoaway, 0, 0, h2::u32(0) + h2::u32(0))));
    EXPECT_FALSE(server_->is_over());
    server_->respond(1, 200, "now", "", std::nullopt, false);
    EXPECT_FALSE(server_->is_over()) << "the response is not written";
    frames();
    EXPECT_TRUE(server_->is_over());
}

TEST_F(Http2ServerTest, WaitsWhereDataFindsNoRoom) {
    begin();
    receive(h2::get(1));
    notes_.bodies[1] = "body";
    notes_.complete[1] = true;
    notes_.blocked = true;
    server_->respond(1, 200, {}, {}, 4, true);
    EXPECT_EQ(frames().size(), 1u);
    EXPECT_TRUE(server_->wants_to_write());
    notes_.blocked = false;
    std::vector<Frame> sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].payload, "body");
    EXPECT_FALSE(server_->wants_to_write());
}

TEST_F(Http2ServerTest, ResetsAStreamWhoseBytesAreGone) {
    begin();
    receive(h2::get(1));
    notes_.bodies[1] = "body";
    notes_.blocked = true;
    server_->respond(1, 200, {}, {}, 4, true);
    frames();
    notes_.blocked = false;
    notes_.bodies[1].clear();
    std::vector<Frame> sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].type, h2::kReset);
}

TEST_F(Http2ServerTest, CreditsOnlyWhatWasTaken) {
    limits_.stream_window_bytes = 65535;
    begin();
    receive(h2::post(1));
    receive(h2::frame(h2::kData, 0, 1, std::string(16384, 'x')));
    receive(h2::frame(h2::kData, 0, 1, std::string(16384, 'x')));
    receive(h2::frame(h2::kData, 0, 1, std::string(16384, 'x')));
    EXPECT_TRUE(frames().empty());
    server_->credit(1, 40000);
    std::vector<Frame> sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].type, h2::kWindowUpdate);
    EXPECT_EQ(sent[0].payload, h2::u32(40000));
}

TEST_F(Http2ServerTest, BodiesThatNobodyTakesDoNotCloseTheWindowOfOthers) {
    begin();
    // Of each less than its window allows, and together more than the connection's.
    for (uint32_t number = 1; number < 81; number += 2) {
        receive(h2::post(number));
        for (int i = 0; i < 3; ++i)
            EXPECT_TRUE(receive(h2::frame(h2::kData, 0, number, std::string(16384, 'x'))));
        for (const Frame& frame : frames()) {
            EXPECT_EQ(frame.type, h2::kWindowUpdate);
            EXPECT_EQ(frame.stream, 0u);
        }
    }
    EXPECT_FALSE(server_->is_failed());
}

TEST_F(Http2ServerTest, SendsALongHead) {
    begin();
    receive(h2::get(1));
    server_->respond(1, 200, {}, "X-Long: " + std::string(100'000, 'x') + "\r\n", 0, false);
    std::vector<Frame> sent = frames();
    ASSERT_GT(sent.size(), 1u);
    EXPECT_EQ(sent.front().type, h2::kHeaders);
    EXPECT_TRUE(sent.back().flags & h2::kEndHeaders);
}

TEST_F(Http2ServerTest, ResetsAStreamWhoseHeadIsTooLongToBeSent) {
    begin();
    receive(h2::get(1));
    server_->respond(1, 200, {}, "X-Long: " + std::string(20'000'000, 'x') + "\r\n", 0, false);
    std::vector<Frame> sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].type, h2::kReset);
    EXPECT_EQ(sent[0].code(), static_cast<uint32_t>(ErrorCode::kInternal));
}

TEST_F(Http2ServerTest, RefusesAStreamThatNobodyCanTake) {
    begin();
    notes_.refusing = true;
    EXPECT_TRUE(receive(h2::post(1)));
    EXPECT_TRUE(receive(h2::frame(h2::kData, h2::kEndStream, 1, "x")));
    std::vector<Frame> sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].code(), static_cast<uint32_t>(ErrorCode::kRefusedStream));
    EXPECT_TRUE(notes_.said.empty());
}

TEST_F(Http2ServerTest, AnswersALowerStreamWithAnError) {
    begin();
    receive(h2::get(5));
    EXPECT_FALSE(receive(h2::get(3)));
    EXPECT_EQ(goodbye(), static_cast<int64_t>(ErrorCode::kProtocol));
}

TEST_F(Http2ServerTest, PassesOverLateFramesOfAStreamItHasReset) {
    begin();
    receive(h2::post(1));
    server_->reset(1, ErrorCode::kCancel);
    frames();
    EXPECT_EQ(notes_.said.back(), "closed 1");
    EXPECT_TRUE(receive(h2::frame(h2::kData, 0, 1, "late")));
    EXPECT_TRUE(
        receive(h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, 1, h2::block({{"late", "1"}}))));
    EXPECT_TRUE(receive(h2::get(3)));
    EXPECT_EQ(goodbye(), -1);
}

TEST_F(Http2ServerTest, PassesOverStreamsThatGoawayHasExcluded) {
    begin();
    receive(h2::post(1));
    server_->end();
    // This one comes before GOAWAY is written, the next one after.
    EXPECT_TRUE(receive(h2::post(3)));
    EXPECT_EQ(goodbye(), static_cast<int64_t>(ErrorCode::kNone));
    EXPECT_TRUE(receive(h2::frame(h2::kData, h2::kEndStream, 3, "late")));
    EXPECT_TRUE(receive(h2::post(5)));
    EXPECT_TRUE(receive(h2::frame(h2::kData, h2::kEndStream, 5, "late")));
    EXPECT_EQ(notes_.said.size(), 1u) << "a stream was taken that the client asks another server for";
    EXPECT_TRUE(receive(h2::frame(h2::kData, h2::kEndStream, 1, "x")));
    EXPECT_EQ(goodbye(), -1);
}

TEST_F(Http2ServerTest, AnswersFramesOfAStreamThatIsOverWithAnError) {
    begin();
    receive(h2::get(1));
    server_->respond(1, 200, {}, {}, 0, false);
    frames();
    EXPECT_FALSE(receive(h2::frame(h2::kData, 0, 1, "x")));
    EXPECT_EQ(goodbye(), static_cast<int64_t>(ErrorCode::kStreamClosed));
}

TEST_F(Http2ServerTest, RefusesTooLongAHeadAndGoesOn) {
    limits_.head_bytes = 200;
    begin();
    const std::string block = h2::request_block("GET", "/") +
                              h2::block({{"x", std::string(120, 'x')}, {"y", std::string(120, 'x')}});
    EXPECT_TRUE(receive(h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, 1, block)));
    EXPECT_EQ(notes_.said, std::vector<std::string>{"bad 1 431"});
    EXPECT_TRUE(receive(h2::get(3)));
    EXPECT_EQ(notes_.said.size(), 3u);
}

TEST_F(Http2ServerTest, CountsCrumbsOfCookies) {
    limits_.header_fields = 3;
    begin();
    const std::string block =
        h2::request_block("GET", "/") +
        h2::block({{"cookie", "a=1"}, {"cookie", "b=1"}, {"cookie", "c=1"}, {"cookie", "d=1"}});
    EXPECT_TRUE(receive(h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, 1, block)));
    EXPECT_EQ(notes_.said, std::vector<std::string>{"bad 1 431"});
}

TEST_F(Http2ServerTest, EndsAConnectionThatSendsABomb) {
    limits_.head_bytes = 1000;
    begin();
    // A field of 100 bytes goes into the dynamic table; from then on one byte names it, again and again.
    std::string block = h2::request_block("GET", "/");
    block += "\x40\x01x\x64" + std::string(100, 'x') + std::string(200, '\xbe');
    EXPECT_FALSE(receive(h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, 1, block)));
    expect_calm();
}

TEST_F(Http2ServerTest, HasBudgets) {
    struct Case {
        const char* what;
        std::string frame;
    };
    const std::string ping = h2::frame(h2::kPing, 0, 0, "12345678");
    const Case cases[] = {{"pings", ping},
                          {"settings", h2::frame(h2::kSettings, 0, 0)},
                          {"empty data", h2::frame(h2::kData, 0, 1)},
                          {"priority", h2::frame(h2::kPriority, 0, 1, std::string(5, '\0'))},
                          {"unknown", h2::frame(0x42, 0, 0, "?")}};
    limits_.pings = limits_.settings_frames = limits_.empty_frames = 5;
    for (const Case& attack : cases) {
        begin();
        receive(h2::post(1));
        // The first settings count.
        for (int i = 0; i < 4; ++i)
            EXPECT_TRUE(receive(attack.frame)) << attack.what;
        now_ms_ += http2::Budget::kPeriodMs;
        for (int i = 0; i < 5; ++i)
            EXPECT_TRUE(receive(attack.frame)) << attack.what;
        EXPECT_FALSE(receive(attack.frame)) << attack.what;
        expect_calm();
    }
}

TEST_F(Http2ServerTest, HasABudgetForResets) {
    limits_.stream_resets = 5;
    begin();
    for (uint32_t stream = 1; stream <= 9; stream += 2)
        EXPECT_TRUE(receive(h2::get(stream) + h2::frame(h2::kReset, 0, stream, h2::u32(8))));
    EXPECT_FALSE(receive(h2::get(11) + h2::frame(h2::kReset, 0, 11, h2::u32(8))));
    expect_calm();
}

TEST_F(Http2ServerTest, CountsResetsThatAClientProvokes) {
    limits_.stream_resets = 5;
    begin();
    bool goes_on = true;
    // A window of a stream grown by nothing makes the server reset it.
    for (uint32_t stream = 1; stream <= 11; stream += 2) {
        const std::string block = h2::request_block("GET", "/") + h2::block({{"connection", "close"}});
        goes_on = receive(h2::frame(h2::kHeaders, h2::kEndHeaders | h2::kEndStream, stream, block));
        EXPECT_EQ(goes_on, stream < 11);
    }
    expect_calm();
}

TEST_F(Http2ServerTest, HasABudgetForContinuations) {
    limits_.continuations = 3;
    begin();
    std::string bytes = h2::frame(h2::kHeaders, h2::kEndStream, 1, h2::request_block("GET", "/"));
    for (int i = 0; i < 10; ++i)
        bytes += h2::frame(h2::kContinuation, 0, 1, h2::block({{"x", "y"}}));
    EXPECT_FALSE(receive(bytes));
    expect_calm();
}

TEST_F(Http2ServerTest, CountsContinuationsHoweverTheyAreCut) {
    begin();
    const auto head_of = [](unsigned continuations) {
        std::string bytes = h2::frame(h2::kHeaders, h2::kEndStream, 1, h2::request_block("GET", "/"));
        for (unsigned number = 1; number <= continuations; ++number) {
            bytes += h2::frame(h2::kContinuation, number == continuations ? h2::kEndHeaders : 0, 1,
                               h2::block({{"x", "y"}}));
        }
        return bytes;
    };
    for (const char byte : head_of(limits_.continuations))
        ASSERT_TRUE(receive({&byte, 1}));
    EXPECT_FALSE(server_->in_head());
}

TEST_F(Http2ServerTest, SaysThatAHeadIsOnItsWay) {
    begin();
    EXPECT_FALSE(server_->in_head());
    const std::string block = h2::request_block("GET", "/");
    receive(h2::frame(h2::kHeaders, h2::kEndStream, 1, block.substr(0, 10)));
    EXPECT_TRUE(server_->in_head());
    receive(h2::frame(h2::kContinuation, h2::kEndHeaders, 1, block.substr(10)));
    EXPECT_FALSE(server_->in_head());
}

TEST_F(Http2ServerTest, RefusesWhatIsNoPreface) {
    server_ = std::make_unique<http2::Server>(limits_, parser_, notes_);
    EXPECT_FALSE(receive("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
    EXPECT_EQ(goodbye(), static_cast<int64_t>(ErrorCode::kProtocol));
}

}  // namespace
}  // namespace sluice
