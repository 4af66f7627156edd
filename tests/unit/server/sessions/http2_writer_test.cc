#include "server/sessions/http2_writer.h"

#include <gtest/gtest.h>

#include "http2_driver.h"
#include "server/reactor/connection.h"
#include "server/sessions/http2_stream.h"

namespace sluice {
namespace {

namespace h2 = test::h2;

/// One stream; the test is the owner of the connection that carries it.
class Http2WriterTest : public testing::Test, public Http2StreamOwner {
  protected:
    Http2WriterTest() {
        std::string bytes = h2::start() + h2::get(1);
        EXPECT_TRUE(server_.receive(bytes, 1));
        frames();
        self_.carrier = std::make_unique<Http2Stream>(*this, 1, false, false);
    }
    http2::Server& server() override { return server_; }
    Connection& connection() override { return carrier_; }
    void wants_flush() override {}
    void forget(int32_t) override {}

    std::vector<h2::Frame> frames() {
        for (;;) {
            const std::string_view bytes = server_.next_output();
            if (bytes.empty()) return h2::take_frames(notes_.wire);
            notes_.wire += bytes;
        }
    }

    http1::HeadParser parser_;
    test::Http2Notes notes_;
    http2::Server server_{{}, parser_, notes_};
    const ResponseWriter& writer_ = Http2Writer::shared();
    Connection carrier_{make_connection_id(0, 2), UniqueFd(), 0};
    Connection self_{make_connection_id(0, 1), UniqueFd(), 0};
};

TEST_F(Http2WriterTest, AStreamWaitsForTheServerWithItsConnection) {
    EXPECT_FALSE(self_.awaits_server());
    carrier_.scheduled = true;
    EXPECT_TRUE(self_.awaits_server());
}

TEST_F(Http2WriterTest, AHeadWithoutABodyEndsTheStream) {
    http1::ResponseHead head;
    head.status = 204;
    head.framing = http1::Framing::kNoBody;
    const ResponseWriter::Begun begun = writer_.begin(self_, head, {}, false);
    EXPECT_FALSE(begun.chunked);
    EXPECT_FALSE(begun.keep_alive) << "a stream has one request";
    const auto sent = frames();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].flags, h2::kEndHeaders | h2::kEndStream);
}

TEST_F(Http2WriterTest, InterimResponsesComeBefore) {
    writer_.inform(self_, 103, "link: </a>\r\n", 0);
    http1::ResponseHead head;
    head.length = 3;
    writer_.begin(self_, head, {}, true);
    const auto sent = frames();
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_EQ(sent[0].flags, h2::kEndHeaders);
    EXPECT_EQ(sent[1].flags, h2::kEndHeaders);
}

TEST_F(Http2WriterTest, TheBodyGoesIntoTheStreamsQueue) {
    writer_.write(self_, 3, "one", {}, false);
    writer_.write(self_, 3, {}, HeapPayload::copy_of("t", "wo"), false);
    EXPECT_EQ(self_.out.bytes(), 6u);
}

TEST_F(Http2WriterTest, AnswersHandshakes) {
    EXPECT_EQ(writer_.grant_websocket(self_, {}, "chat", {}, {}), 200);
    EXPECT_EQ(frames().at(0).flags, h2::kEndHeaders);
}

}  // namespace
}  // namespace sluice
