#include "io/body_pipe.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace sluice {
namespace {

class BodyPipeTest : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(BodyPipe::create_pair(writer_, reader_, 65536)); }
    BodyPipe::Received receive() { return BodyPipe::receive(reader_.get(), buffer_, bytes_, status_, ring_); }
    bool is_ready(int fd, short events) {
        pollfd one{fd, events, 0};
        return poll(&one, 1, 0) == 1;
    }

    UniqueFd writer_, reader_, ring_;
    char buffer_[BodyPipe::kPacketBytes];
    size_t bytes_ = 0;
    uint16_t status_ = 7;
};

TEST_F(BodyPipeTest, BytesComeInOrderAndThenTheEnd) {
    EXPECT_EQ(receive(), BodyPipe::Received::kNothing);
    const std::string text(BodyPipe::kPacketBytes + 10, 'x');
    std::span<const char> rest = text;
    EXPECT_EQ(BodyPipe::send(writer_.get(), rest), BodyPipe::Sent::kAll);
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(BodyPipe::send_end(writer_.get(), BodyPipe::kComplete), BodyPipe::Sent::kAll);
    EXPECT_EQ(receive(), BodyPipe::Received::kBytes);
    EXPECT_EQ(bytes_, BodyPipe::kPacketBytes);
    EXPECT_EQ(receive(), BodyPipe::Received::kBytes);
    EXPECT_EQ(bytes_, 10u);
    EXPECT_EQ(receive(), BodyPipe::Received::kEnd);
    EXPECT_EQ(status_, BodyPipe::kComplete);
}

TEST_F(BodyPipeTest, WhatDoesNotFitWaitsForTheReader) {
    const std::string text(1 << 20, 'x');
    std::span<const char> rest = text;
    EXPECT_EQ(BodyPipe::send(writer_.get(), rest), BodyPipe::Sent::kFull);
    const size_t fitted = text.size() - rest.size();
    EXPECT_GT(fitted, 0u);
    EXPECT_LE(fitted, 4u * 65536) << "the pipe holds a bounded part of what nobody reads";
    EXPECT_FALSE(is_ready(writer_.get(), POLLOUT));
    size_t read = 0;
    while (receive() == BodyPipe::Received::kBytes)
        read += bytes_;
    EXPECT_EQ(read, fitted);
    EXPECT_TRUE(is_ready(writer_.get(), POLLOUT));
}

TEST_F(BodyPipeTest, AFailureHasAStatus) {
    EXPECT_EQ(BodyPipe::send_end(writer_.get(), 408), BodyPipe::Sent::kAll);
    EXPECT_EQ(receive(), BodyPipe::Received::kEnd);
    EXPECT_EQ(status_, 408);
}

TEST_F(BodyPipeTest, AnEndWithoutAPacketIsALoss) {
    std::span<const char> text("abc", 3);
    EXPECT_EQ(BodyPipe::send(writer_.get(), text), BodyPipe::Sent::kAll);
    writer_.reset();
    EXPECT_EQ(receive(), BodyPipe::Received::kBytes);
    EXPECT_EQ(receive(), BodyPipe::Received::kLost);
}

TEST_F(BodyPipeTest, ARingForWhichThereIsNoDescriptorIsTold) {
    ASSERT_EQ(BodyPipe::send_ring(writer_.get(), writer_.get()), BodyPipe::Sent::kAll);
    rlimit most;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &most), 0);
    rlimit none = most;
    none.rlim_cur = 0;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const BodyPipe::Received received = receive();
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &most), 0);
    EXPECT_EQ(received, BodyPipe::Received::kStarved);
    EXPECT_FALSE(ring_);
}

TEST_F(BodyPipeTest, WithoutAReaderNothingIsSent) {
    reader_.reset();
    std::span<const char> text("abc", 3);
    EXPECT_EQ(BodyPipe::send(writer_.get(), text), BodyPipe::Sent::kClosed);
    EXPECT_EQ(BodyPipe::send_end(writer_.get(), 0), BodyPipe::Sent::kClosed);
}

TEST_F(BodyPipeTest, WhatIsNoPacketOfOursIsALoss) {
    ASSERT_EQ(write(writer_.get(), "?", 1), 1);
    EXPECT_EQ(receive(), BodyPipe::Received::kLost);
    ASSERT_EQ(write(writer_.get(), "E?", 2), 2);
    EXPECT_EQ(receive(), BodyPipe::Received::kLost);
}

TEST_F(BodyPipeTest, TheReaderTakesTheEndThoughItHasWokenTheWriter) {
    BodyPipe::wake(reader_.get());
    EXPECT_EQ(BodyPipe::send_end(writer_.get(), BodyPipe::kComplete), BodyPipe::Sent::kAll);
    writer_.reset();  // what it has not taken makes this a reset
    EXPECT_EQ(receive(), BodyPipe::Received::kEnd);
    EXPECT_EQ(receive(), BodyPipe::Received::kLost);
}

TEST_F(BodyPipeTest, TheWriterTakesWhatHasWokenIt) {
    EXPECT_TRUE(BodyPipe::drain(writer_.get()));
    BodyPipe::wake(reader_.get());
    EXPECT_TRUE(is_ready(writer_.get(), POLLIN));
    EXPECT_TRUE(BodyPipe::drain(writer_.get()));
    EXPECT_FALSE(is_ready(writer_.get(), POLLIN));
    reader_.reset();
    EXPECT_FALSE(BodyPipe::drain(writer_.get()));
}

}  // namespace
}  // namespace sluice
