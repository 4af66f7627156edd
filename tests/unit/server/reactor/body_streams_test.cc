#include "server/reactor/body_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "server/reactor/poll_token.h"

namespace sluice {
namespace {

class BodyStreamsTest : public testing::Test {
  protected:
    void SetUp() override {
        int ends[2];
        ASSERT_EQ(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
        reader_.reset(ends[0]);
        writer_.reset(ends[1]);
    }
    /// The connection whose wait the poller ends now.
    ConnectionId woken() {
        for (const epoll_event& event : poller_.wait(0))
            return streams_.ready(static_cast<int>(PollToken(event.data.u64).number()));
        return kNoConnection;
    }

    Poller poller_;
    BodyStreams streams_{2, poller_};
    UniqueFd reader_, writer_;
};

TEST_F(BodyStreamsTest, NoMoreThanAllowed) {
    EXPECT_TRUE(streams_.begin(1));
    EXPECT_TRUE(streams_.begin(1));
    EXPECT_FALSE(streams_.begin(1));
    streams_.end(1, -1);
    EXPECT_EQ(streams_.count(), 1u);
    EXPECT_TRUE(streams_.begin(1));
}

TEST_F(BodyStreamsTest, OneClientLeavesSomeToOthers) {
    BodyStreams streams(16, poller_);
    for (int i = 0; i < 14; ++i)
        EXPECT_TRUE(streams.begin(1));
    EXPECT_FALSE(streams.begin(1));
    EXPECT_TRUE(streams.begin(2));
    streams.end(1, -1);
    EXPECT_TRUE(streams.begin(3));
}

TEST_F(BodyStreamsTest, AConnectionWaitsForRoomInThePipe) {
    char bytes[4096] = {};
    while (write(writer_.get(), bytes, sizeof bytes) > 0) {
    }
    streams_.await(writer_.get(), EPOLLOUT, 7);
    EXPECT_EQ(woken(), kNoConnection);
    while (read(reader_.get(), bytes, sizeof bytes) > 0) {
    }
    EXPECT_EQ(woken(), 7u);
    EXPECT_EQ(woken(), kNoConnection) << "the poller tells of a writable pipe once";
}

TEST_F(BodyStreamsTest, AWriterThatIsClosedIsForgotten) {
    ASSERT_TRUE(streams_.begin(1));
    streams_.await(writer_.get(), EPOLLOUT, 7);
    streams_.end(1, writer_.get());
    EXPECT_EQ(streams_.ready(writer_.get()), kNoConnection);
}

TEST_F(BodyStreamsTest, AWaitEndsWhenTheReaderHasGone) {
    char bytes[4096] = {};
    while (write(writer_.get(), bytes, sizeof bytes) > 0) {
    }
    streams_.await(writer_.get(), EPOLLOUT, 7);
    reader_.reset();
    EXPECT_EQ(woken(), 7u);
}

}  // namespace
}  // namespace sluice
