#include "io/body_writer.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <string>

#include "io/body_reader.h"

namespace sluice {
namespace {

constexpr size_t kUnread = 64 * 1024;

class BodyWriterTest : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(writer_.begin(reader_fd_, kUnread));
        reader_ = std::make_unique<BodyReader>(reader_fd_.get());
    }
    static bool is_ready(int fd, short events) {
        pollfd one{fd, events, 0};
        return poll(&one, 1, 0) == 1;
    }
    /// What is there now; `last_` tells why there is no more.
    std::string read() {
        std::string text;
        size_t bytes = 0;
        do
            while ((last_ = reader_->receive(buffer_, bytes, status_)) == BodyPipe::Received::kBytes)
                text.append(buffer_, bytes);
        while (last_ == BodyPipe::Received::kNothing && is_ready(reader_fd_.get(), POLLIN));
        return text;
    }
    /// Sends and reads in turns until all is sent; the reader is behind by one turn.
    std::string pass(std::string_view text) {
        std::string got;
        std::span<const char> rest = text;
        for (int turn = 0; !rest.empty() && turn < 1000; ++turn) {
            const bool is_full = writer_.send(rest) == BodyPipe::Sent::kFull;
            EXPECT_TRUE(!is_full || !is_ready(writer_.fd(), writer_.awaited()));
            got += read();
            EXPECT_TRUE(!is_full || is_ready(writer_.fd(), writer_.awaited()));
        }
        EXPECT_TRUE(rest.empty());
        return got;
    }
    static std::string some_bytes(size_t size) {
        std::string bytes(size, '\0');
        for (size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<char>(i * 7 + i / 251);
        return bytes;
    }

    BodyWriter writer_;
    UniqueFd reader_fd_;
    std::unique_ptr<BodyReader> reader_;
    BodyPipe::Received last_ = BodyPipe::Received::kNothing;
    uint16_t status_ = 7;
    char buffer_[BodyPipe::kPacketBytes];
};

TEST_F(BodyWriterTest, AShortBodyComesInPackets) {
    const std::string body = some_bytes(BodyWriter::kMostInPackets);
    EXPECT_TRUE(pass(body) == body);
    EXPECT_TRUE(writer_.window().empty());
    EXPECT_EQ(reader_->least_room(), BodyPipe::kPacketBytes);
}

TEST_F(BodyWriterTest, ALongBodyGoesOnInARing) {
    const std::string body = some_bytes(2'000'003);
    EXPECT_TRUE(pass(body) == body);
    EXPECT_FALSE(writer_.window().empty());
    EXPECT_EQ(reader_->least_room(), 1u);
    EXPECT_EQ(writer_.send_end(BodyPipe::kComplete), BodyPipe::Sent::kAll);
    EXPECT_EQ(read(), "");
    EXPECT_EQ(last_, BodyPipe::Received::kEnd);
    EXPECT_EQ(status_, BodyPipe::kComplete);
}

TEST_F(BodyWriterTest, WhatStandsInTheRingComesBeforeTheEnd) {
    const std::string body = some_bytes(300'000);
    EXPECT_TRUE(pass(body) == body);
    std::span<const char> last("abc", 3);
    EXPECT_EQ(writer_.send(last), BodyPipe::Sent::kAll);
    EXPECT_EQ(writer_.send_end(408), BodyPipe::Sent::kAll);
    writer_.end();
    EXPECT_EQ(read(), "abc");
    EXPECT_EQ(last_, BodyPipe::Received::kEnd);
    EXPECT_EQ(status_, 408);
}

TEST_F(BodyWriterTest, WhatIsReceivedInTheWindowWakesTheReader) {
    EXPECT_EQ(pass(some_bytes(300'000)).size(), 300'000u);
    EXPECT_FALSE(is_ready(reader_fd_.get(), POLLIN));
    std::copy_n("direct", 6, writer_.window().data());
    writer_.filled(6);
    EXPECT_TRUE(is_ready(reader_fd_.get(), POLLIN));
    EXPECT_EQ(read(), "direct");
    while (!writer_.window().empty())
        writer_.filled(writer_.window().size());
    EXPECT_EQ(writer_.make_room(), BodyPipe::Sent::kFull);
    EXPECT_FALSE(is_ready(writer_.fd(), writer_.awaited()));
    EXPECT_GT(read().size(), kUnread / 2);
    EXPECT_TRUE(is_ready(writer_.fd(), writer_.awaited()));
    EXPECT_EQ(writer_.make_room(), BodyPipe::Sent::kAll);
}

TEST_F(BodyWriterTest, AReaderThatHasBeenWokenTakesThatBeforeItSleepsAgain) {
    EXPECT_EQ(pass(some_bytes(300'000)).size(), 300'000u);
    for (int turn = 0; turn < 3; ++turn) {
        EXPECT_FALSE(is_ready(reader_fd_.get(), POLLIN));
        std::span<const char> rest("abc", 3);
        EXPECT_EQ(writer_.send(rest), BodyPipe::Sent::kAll);
        EXPECT_TRUE(is_ready(reader_fd_.get(), POLLIN));
        rest = std::span<const char>("def", 3);
        EXPECT_EQ(writer_.send(rest), BodyPipe::Sent::kAll);
        EXPECT_EQ(read(), "abcdef");
        EXPECT_EQ(last_, BodyPipe::Received::kNothing);
        EXPECT_EQ(read(), "") << "a look without a reason";
    }
}

TEST_F(BodyWriterTest, AReaderThatSleepsHearsTheEnd) {
    EXPECT_EQ(pass(some_bytes(300'000)).size(), 300'000u);
    EXPECT_EQ(read(), "");
    EXPECT_EQ(writer_.send_end(BodyPipe::kComplete), BodyPipe::Sent::kAll);
    EXPECT_TRUE(is_ready(reader_fd_.get(), POLLIN));
    EXPECT_EQ(read(), "");
    EXPECT_EQ(last_, BodyPipe::Received::kEnd);
}

TEST_F(BodyWriterTest, AWriterThatWaitsHearsThatTheReaderHasGone) {
    EXPECT_EQ(pass(some_bytes(300'000)).size(), 300'000u);
    const std::string more = some_bytes(4 * kUnread);
    std::span<const char> rest = more;
    EXPECT_EQ(writer_.send(rest), BodyPipe::Sent::kFull);
    reader_fd_.reset();
    EXPECT_TRUE(is_ready(writer_.fd(), writer_.awaited()));
    EXPECT_EQ(writer_.send(rest), BodyPipe::Sent::kClosed);
}

TEST_F(BodyWriterTest, AWriterThatDiesIsALossBehindItsBytes) {
    const std::string body = some_bytes(300'000);
    EXPECT_TRUE(pass(body) == body);
    std::span<const char> last("abc", 3);
    EXPECT_EQ(writer_.send(last), BodyPipe::Sent::kAll);
    writer_.end();
    EXPECT_EQ(read(), "abc");
    EXPECT_EQ(last_, BodyPipe::Received::kLost);
}

}  // namespace
}  // namespace sluice
