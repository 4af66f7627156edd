#include "server/sessions/http1_writer.h"

#include <gtest/gtest.h>
#include <string>
#include <sys/socket.h>

#include "server/reactor/connection.h"

namespace sluice {
namespace {

class Http1WriterTest : public testing::Test {
  protected:
    /// The bytes that have been queued since the last call.
    std::string queued() {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        UniqueFd reading(ends[0]), writing(ends[1]);
        uint64_t sent = 0;
        EXPECT_EQ(self_.out.flush(writing.get(), sent), OutQueue::Flushed::kAll);
        std::string bytes(sent, '\0');
        EXPECT_EQ(recv(reading.get(), bytes.data(), bytes.size(), MSG_WAITALL | (sent ? 0 : MSG_DONTWAIT)),
                  sent ? static_cast<ssize_t>(sent) : -1);
        return bytes;
    }
    const ResponseWriter& writer_ = Http1Writer::shared();
    Connection self_{make_connection_id(0, 1), UniqueFd(), 0};
};

TEST_F(Http1WriterTest, InformsThoseWhoKnowInterimResponses) {
    writer_.inform(self_, 100, {}, 1);
    EXPECT_EQ(queued(), "HTTP/1.1 100 Continue\r\n\r\n");
    writer_.inform(self_, 103, "Link: </a>\r\n", 1);
    EXPECT_EQ(queued(), "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
    writer_.inform(self_, 103, "Link: </a>\r\n", 0);
    EXPECT_EQ(queued(), "");
}

TEST_F(Http1WriterTest, WritesABodyOfKnownLengthAsItIs) {
    http1::ResponseHead head;
    head.length = 6;
    const ResponseWriter::Begun begun = writer_.begin(self_, head, {}, true);
    EXPECT_FALSE(begun.chunked);
    EXPECT_TRUE(begun.keep_alive);
    writer_.write(self_, 3, "one", {}, begun.chunked);
    writer_.write(self_, 3, {}, HeapPayload::copy_of("t", "wo"), begun.chunked);
    writer_.end(self_, {}, begun.chunked);
    EXPECT_EQ(queued(), "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nonetwo");
}

TEST_F(Http1WriterTest, WritesChunksAndTrailersWhereTheLengthIsUnknown) {
    http1::ResponseHead head;
    head.framing = http1::Framing::kChunked;
    const ResponseWriter::Begun begun = writer_.begin(self_, head, {}, true);
    EXPECT_TRUE(begun.chunked);
    queued();
    writer_.write(self_, 3, "one", {}, begun.chunked);
    writer_.end(self_, "X-Sum: 1\r\n", begun.chunked);
    EXPECT_EQ(queued(), "3\r\none\r\n0\r\nX-Sum: 1\r\n\r\n");
    head.version_minor = 0;
    EXPECT_FALSE(writer_.begin(self_, head, {}, true).keep_alive)
        << "HTTP/1.0 knows no chunks: the end of the connection ends the body";
}

TEST_F(Http1WriterTest, AnswersHandshakes) {
    EXPECT_EQ(writer_.grant_websocket(self_, "dGhlIHNhbXBsZSBub25jZQ==", "chat", "X-A: b\r\n", {}), 101);
    const std::string granted = queued();
    EXPECT_NE(granted.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos) << granted;
    EXPECT_NE(granted.find("chat\r\n"), std::string::npos) << granted;
}

}  // namespace
}  // namespace sluice
